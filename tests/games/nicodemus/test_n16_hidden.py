"""Who knows what (N16), and that nobody sees more (N23). The reference neither observes nor determinizes."""

from __future__ import annotations

from collections import Counter

import bdgame_env
from bdgame_env.games.nicodemus.cards import KINDS
from bdgame_env.games.nicodemus.observe import PLACES
from tests.games.nicodemus.positions import COPIES, new_game, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def counted(vector) -> dict[str, int]:
    """Numbers by kind, without zeros."""
    return {kind: int(number) for kind, number in zip(KINDS, vector, strict=True) if number}


def place_of(t, project: int, seat: int | None = None) -> str:
    shown = t.seen("projects", seat)[project]
    return ", ".join(name for name, there in zip(PLACES, shown, strict=True) if there)


def determinized(t, seat: int, times: int = 20):
    """The position resampled for a seat, some times; each is a position and looks the same to that seat."""
    for seed in range(times):
        other = t.match.clone(determinize=seat, seed=seed)
        assert other.observe(seat).tobytes() == t.match.observe(seat).tobytes()
        assert other.snapshot() == t.public
        snap = other.snapshot(omniscient=True)
        assert bdgame_env.match_from_snapshot(snap).snapshot(omniscient=True) == snap
        yield snap


def test_n16_01_what_is_public():
    """N16.1: of hidden things the public snapshot has the numbers."""
    t = position(row="B1:2", hand="B2 B2", lost="B3", reserved=[4], rejected=[5], other={"hand": "B4", "rejected": [1]})
    full, public = t.snap, t.public
    assert set(full) - set(public) == {"rng"}
    assert {key for key in public if public[key] != full[key]} == {"deck", "project_deck", "offer", "seats"}
    assert public["offer"] == 0 and full["offer"] == [] and public["deck"] == 45 and public["project_deck"] == 7
    for one, other, cards in zip(full["seats"], public["seats"], (2, 1), strict=True):
        assert {key for key in one if one[key] != other[key]} <= {"hand", "lost", "rejected", "known", "doubtful"}
        assert other["hand"] == cards and other["rejected"] == 1
    assert [seat["lost"] for seat in public["seats"]] == [1, 0]


def test_n16_02_n16_04_n16_05_what_one_seat_sees():
    """N16.2, N16.4, N16.5: its hand, what it lost, the tile it did not keep; of the other's the numbers."""
    t = position(hand="B2 B2", lost="B3", rejected=[4, 5], other={"hand": "B4", "lost": "B5 P1", "rejected": [1]})
    for seat in (0, 1):
        told = t.told(seat)
        own, other = told["seats"][seat], told["seats"][1 - seat]
        assert own == t.snap["seats"][seat]
        assert {**other, "known": None, "doubtful": None} == t.public["seats"][1 - seat]
        assert "rng" not in told and told["deck"] == 45 and told["project_deck"] == 5
        assert all(other[name] == t.snap["seats"][1 - seat][name] for name in ("known", "doubtful"))


def test_n16_05_the_tiles_drawn_for_y1():
    """N16.5: seen by the one who draws; then all see the one that is kept, and still one the other."""
    t = position(hand="Y1", project_top=[7, 4]).play("effect Y1")
    assert t.told(0)["offer"] == [4, 7] and t.told(1)["offer"] == t.public["offer"] == 2
    t.play("keep 7")
    for shown, rejected in ((t.told(0), [4]), (t.told(1), 1), (t.public, 1)):
        assert shown["seats"][0]["reserved"] == [7] and shown["seats"][0]["rejected"] == rejected


def test_n16_04_the_machine_lost_by_p1():
    """N16.4: seen by its owner only, then and later; a machine discarded from the row is seen by all."""
    t = position(row="B1", hand="P1 R2 B1").play("effect P1", "discard R2")
    assert t.told(0)["discarded"] == "R2" and t.told(1)["discarded"] is t.public["discarded"] is None
    t.play("pick wood", "pick copper")
    for shown, lost in ((t.told(0), {"R2": 1}), (t.told(1), 1), (t.public, 1)):
        assert shown["seats"][0]["lost"] == lost and t.gone == {}
    t = position(row="R2", hand="P5").play("effect P5")
    assert t.told(0)["discarded"] == t.told(1)["discarded"] == t.public["discarded"] == "R2"


def test_n16_04_machines_lost_to_r3():
    """N16.4: the attacker does not see them."""
    t = position(hand="R3", other={"hand": "B1 B2 Y1 Y2"}).play("effect R3")
    assert t.told(1)["seats"][1] == t.other and sum(t.other["lost"].values()) == 2
    assert t.told(0)["seats"][1]["lost"] == t.public["seats"][1]["lost"] == 2 and t.gone == {}


@engine_only
def test_n16_02_hands_and_decks_are_hidden():
    """N16.2: a determinization changes the other hand and the order of the decks, and nothing else."""
    t = position(row="B1", hand="B2 B2 B3 P1 P2", workshop="R1", other={"hand": "Y1 Y1 Y2 Y2 B4"})
    hands = set()
    for snap in determinized(t, 0):
        assert snap["seats"][0] == t.me and snap["removed"] == t.snap["removed"]
        hands.add(str(snap["seats"][1]["hand"]))
        before = Counter(t.snap["deck"]) + Counter(t.other["hand"])
        assert Counter(snap["deck"]) + Counter(snap["seats"][1]["hand"]) == before
        assert sorted(snap["project_deck"]) == sorted(t.snap["project_deck"])
    assert len(hands) > 15
    assert len({tuple(snap["project_deck"]) for snap in determinized(t, 1)}) > 15


@engine_only
def test_n16_03_n16_06_01_n23_10_a_stolen_machine():
    """N16.3, N16.6.1, N23.10: the thief has it in hand and sees it; the other remembers it."""
    t = position(hand="R1", other={"hand": "Y2"}, top="B1 B1 B1 B1").play("effect R1")
    assert counted(t.seen("hand", 0)) == {"B1": 4, "Y2": 1} and t.seen("hand_size", 1).tolist() == [0, 5]
    assert counted(t.seen("known", 1)[0]) == counted(t.seen("known", 0)[1]) == {"Y2": 1}
    assert not t.seen("known", 0)[0].any() and not t.seen("doubtful", 1).any()
    hands = [snap["seats"][0]["hand"] for snap in determinized(t, 1, 60)]
    assert all("Y2" in hand for hand in hands) and len(set(map(str, hands))) > 30


@engine_only
def test_n16_04_machines_lost_from_a_hand():
    """N16.4: their owner knows them, the other their number."""
    t = position(hand="R3", rng=5, other={"hand": "B1 B2 Y1 Y2 P5"}).play("effect R3")
    lost = t.other["lost"]
    assert sum(lost.values()) == 3 and t.seen("lost", 0).tolist() == [0, 3] and t.seen("lost", 1).tolist() == [3, 0]
    for kind in lost:
        copies = COPIES[kind]
        seen = t.other["hand"].get(kind, 0) + lost[kind] + t.snap["removed"].get(kind, 0)
        assert counted(t.seen("unseen", 1)).get(kind, 0) == copies - seen
    assert all(snap["seats"][1]["lost"] == lost for snap in determinized(t, 1, 6))
    assert any(snap["seats"][1]["lost"] != lost for snap in determinized(t, 0, 6))


@engine_only
def test_n16_04_n23_08_the_machine_that_p1_discarded():
    """N16.4, N23.8: the other does not see it; a determinization finds one that fits what was picked and is asked."""
    t = position(row="B1", hand="P1 R2 B1 Y1 Y2", tokens="").play("effect P1", "discard R2", "pick wood")
    assert t.phase == "pick" and t.snap["previous"] == "wood" and t.snap["left"] == 1
    assert counted(t.seen("discarded", 0)) == {"R2": 1} and not t.seen("discarded", 1).any()
    assert t.public["discarded"] is None and t.snap["discarded"] == "R2"
    found = {snap["discarded"] for snap in determinized(t, 1, 200)}
    assert found == set(COPIES) - {"B1", "B3", "B4", "P3", "Y2"}  # with wood, and another resource
    assert all(snap["discarded"] == "R2" for snap in determinized(t, 0, 4))
    t = position(row="B1", hand="P1 P5 B1 Y1 Y2").play("effect P1", "discard P5")
    assert {snap["discarded"] for snap in determinized(t, 1, 200)} == set(COPIES)


@engine_only
def test_n23_08_the_hand_that_p1_chooses_from():
    """N23.8: any two machines, even of one kind."""
    t = position(row="B1", hand="P1 B1 B2").play("effect P1")
    assert t.phase == "hand"
    assert {len(snap["seats"][0]["hand"]) for snap in determinized(t, 1, 90)} == {1, 2}
    assert all(snap["seats"][0]["hand"] == {"B1": 1, "B2": 1} for snap in determinized(t, 0, 4))


@engine_only
def test_n16_05_n23_05_n23_08_tiles_drawn_for_y1():
    """N16.5, N23.5, N23.8: seen by the one who draws; then the reserved one by both, the other still by one."""
    t = position(hand="Y1", board=[0], project_top=[7, 4]).play("effect Y1")
    assert [place_of(t, project) for project in (0, 7, 4, 9)] == ["face up", "offered to me", "offered to me", ""]
    assert [place_of(t, project, 1) for project in (0, 7, 4)] == ["face up", "", ""]
    assert t.public["offer"] == 2
    assert len({tuple(snap["offer"]) for snap in determinized(t, 1)}) > 10
    assert all(snap["offer"] == [4, 7] for snap in determinized(t, 0, 4))
    t.play("keep 7")
    assert [place_of(t, project) for project in (7, 4)] == ["reserved by me", "rejected by me"]
    assert [place_of(t, project, 1) for project in (7, 4)] == ["reserved by the other", ""]
    assert all(snap["seats"][0]["rejected"] == [4] for snap in determinized(t, 0, 4))
    assert len({snap["seats"][0]["rejected"][0] for snap in determinized(t, 1)}) > 5


@engine_only
def test_n23_01_n23_06_own_hand_and_unseen_machines():
    """N23.1, N23.6: unseen is deck, other hand and what was lost from it."""
    t = position(
        row="B1:1 B2", hand="B3 B3 P1", workshop="R1", lost="Y1", other={"hand": "Y2", "workshop": "R2", "lost": "B4"}
    )
    assert counted(t.seen("hand")) == {"B3": 2, "P1": 1} and t.seen("hand_size").tolist() == [3, 1]
    assert t.seen("deck_size") == 45 and t.seen("project_deck_size") == 11
    hidden = Counter(t.snap["deck"]) + Counter(["Y2", "B4"])
    assert counted(t.seen("unseen")) == dict(sorted(hidden.items(), key=lambda item: KINDS.index(item[0])))


@engine_only
def test_n23_02_n23_03_the_row_the_workshops_and_the_reserve():
    """N23.2, N23.3: machines with all that they show."""
    t = position(row="B1:3 Y2", workshop="P4 R3", tokens="1 wood", other={"workshop": "P1", "tokens": "2 crystal"})
    assert t.seen("machines") == 2 and t.seen("charcoalium")[:3].tolist() == [3, 0, 0]
    assert t.seen("bric_a_brac")[:3, 0].tolist() == [1, 16, 0]
    assert t.seen("bric_a_brac")[0].tolist() == [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1]
    assert t.seen("workshop")[:, :, 0].tolist() == [[9, 13, 0, 0], [6, 0, 0, 0]]
    assert t.seen("workshop_size").tolist() == [2, 1]
    assert t.seen("newest").tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]
    assert t.seen("symbols").tolist() == [[1, 1, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert t.seen("tokens", 1).tolist() == [[0, 0, 0, 2], [0, 1, 0, 0]]
    assert t.seen("reserve").tolist() == [9, 7, 8, 6]


@engine_only
def test_n23_04_scores_and_turn():
    """N23.4: from each seat's side."""
    t = position(points=7, other={"points": 9}, round=3, max_rounds=10)
    assert t.seen("points").tolist() == [7, 9] and t.seen("points", 1).tolist() == [9, 7]
    assert t.seen("to_move").tolist() == [1, 0] and t.seen("to_move", 1).tolist() == [0, 1]
    assert t.seen("ending") == 0 and t.seen("round_number") == 3 and t.seen("rounds_left") == 7
    t = position(seat=1, hand="B1", other={"points": 20}, ending=True)
    assert t.seen("ending") == 1 and t.seen("first_player").tolist() == [0, 1]
    t.play("charcoalium B1")
    assert t.seen("over") == 1 and not t.seen("to_move").any()
    assert new_game(max_rounds=9_000).seen("rounds_left") == 127


@engine_only
def test_n23_07_the_decision_in_progress():
    """N23.7: seen by both, but for N23.8."""
    t = position(row="R2 B1 B1", workshop="P1", tokens="1 wood 1 copper 1 crystal 2 charcoalium").play("repair 1")
    for seat in (0, 1):
        assert t.seen("phase", seat).tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        assert t.seen("repair_space", seat).tolist() == [1] + [0] * 9 and t.seen("fee", seat) == 2
        assert t.seen("need", seat).tolist() == [1, 1, 1] and t.seen("left", seat) == 1
    t = position(row="P5", hand="Y2").play("effect Y2")
    for seat in (0, 1):
        assert counted(t.seen("played", seat)) == {"Y2": 1} and counted(t.seen("effect", seat)) == {"P5": 1}
        assert counted(t.seen("discarded", seat)) == {"P5": 1} and t.seen("left", seat) == 2
    t.play("pick wood")
    assert t.seen("previous", 1).tolist() == [1, 0, 0]
    t = position(row="B1", workshop="B1 B1 P2", tokens="1 copper 1 crystal", board=[16, 5, 13]).play("repair 1")
    t.play("complete 5", "partner 1", "complete 13")
    for seat in (0, 1):
        assert t.seen("completing", seat)[13] == 1 and t.seen("used", seat).tolist() == [1, 0, 0, 1]
        assert not t.seen("partners", seat).any()
    assert place_of(t, 5) == "completed by me" and place_of(t, 5, 1) == "completed by the other"


@engine_only
def test_n23_09_the_mask_is_the_movers():
    """N23.9: the environment for several agents hands out none to the other."""
    env = bdgame_env.make_aec("nicodemus-v2")
    env.reset(seed=1)
    assert env.observe("player_0")["action_mask"].any() and not env.observe("player_1")["action_mask"].any()

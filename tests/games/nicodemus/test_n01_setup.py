"""What is in the box and the setup (N1, N2), from the deal."""

from __future__ import annotations

from collections import Counter

from bdgame_env.games.nicodemus.state import SPACES
from tests.games.nicodemus.positions import COPIES, KINDS, SUPPLY, TOKENS, new_game, position, tokens
from tests.support import splitmix
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def test_n01_03_n02_04_n02_05_tokens_at_the_beginning():
    """N1.3, N2.4, N2.5: 12 and 8 each; 2 charcoalium for the first, 1 and 1 wood for the second; all else empty."""
    snap = new_game().snap
    assert snap["reserve"] == tokens("9 charcoalium 7 wood 8 copper 8 crystal")
    assert [seat["tokens"] for seat in snap["seats"]] == [tokens("2 charcoalium"), tokens("1 charcoalium 1 wood")]
    for name in TOKENS:
        assert snap["reserve"][name] + sum(seat["tokens"][name] for seat in snap["seats"]) == SUPPLY[name]
    for seat in snap["seats"]:
        assert seat["points"] == 0
        assert not any(seat[name] for name in ("workshop", "reserved", "completed", "rejected", "lost"))


def test_n01_05_ten_spaces_and_six_places():
    """N1.5: nine machines can be repaired or aimed at (the tenth is there only during a turn)."""
    assert len(new_game().snap["projects"]) == 6
    t = position(row="B1 B1 B1 B1 B2 B2 B2 B2 B3", tokens="12 charcoalium 8 wood 8 copper 8 crystal")
    assert t.family("repair") == {str(space) for space in range(1, 10)}


@engine_only  # it is about the record and the observation
def test_n01_05_all_ten_spaces_are_observed():
    """N1.5."""
    assert SPACES == 10 and new_game().seen("bric_a_brac").shape[0] == 10


def test_n01_06_a_score_may_pass_25():
    """N1.6."""
    t = position(row="Y2", workshop="R2 Y1 Y2", points=19, tokens="8 copper 8 crystal", board=[14, 8, 5, 4])
    t.play("repair 1")
    while t.phase != "turn":
        t.play(min(t.legal - {"done"}))
    assert t.me["points"] > 25


def test_n02_01_seat_0_goes_first():
    """N2.1."""
    for seed in range(4):
        t = new_game(seed)
        assert t.seat == 0 and t.snap["round"] == 1 and t.phase == "turn"


@engine_only  # observations
def test_n02_01_who_is_first_is_observed():
    """N2.1."""
    t = new_game()
    assert t.seen("first_player", 0).tolist() == [1, 0] and t.seen("first_player", 1).tolist() == [0, 1]


def test_n02_02_n02_03_the_deal():
    """N2.2, N2.3: in the order that the section on chance gives."""
    for seed in range(5):
        t = new_game(seed)
        machines, projects = dealt(t.match.game_seed)
        snap = t.snap
        assert snap["bric_a_brac"] == [{"kind": machines[0], "charcoalium": 0}]
        assert snap["seats"][0]["hand"] == dict(sorted(Counter(machines[1:6]).items()))
        assert snap["seats"][1]["hand"] == dict(sorted(Counter(machines[6:11]).items()))
        assert snap["deck"] == machines[11:] and len(snap["deck"]) == 45
        assert snap["projects"] == projects[:6] and snap["project_deck"] == projects[6:]
        assert snap["removed"] == {} and snap["played"] is None


def dealt(deal: int) -> tuple[list[str], list[int]]:
    """The order of machines and projects after both shuffles."""
    draws = iter(range(1000))

    def shuffled(cards: list) -> list:
        for last in range(len(cards) - 1, 0, -1):
            other = ((splitmix.output(deal, next(draws)) >> 32) * (last + 1)) >> 32
            cards[last], cards[other] = cards[other], cards[last]
        return cards

    machines = shuffled([kind for kind in KINDS for _ in range(COPIES[kind])])
    return machines, shuffled(list(range(17)))


def test_n02_02_any_card_can_come_first():
    """N2.2, N2.3: over some deals."""
    snaps = [new_game(seed).snap for seed in range(30)]
    assert len({snap["bric_a_brac"][0]["kind"] for snap in snaps}) > 8
    assert len({snap["projects"][0] for snap in snaps}) > 8

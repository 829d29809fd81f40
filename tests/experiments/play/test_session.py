"""Sessions: who may do what when, what can be undone, what each seat may see."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import Agent, UnknownAgent, make_agent, registry
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.match import Match
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.play import session as session_module
from bdgame_env.experiments.play.opinions import MOST_MOVES, ask
from bdgame_env.experiments.play.reveals import reveals, same_views
from bdgame_env.experiments.play.seats import check_agent, read_seats, seats_of
from bdgame_env.experiments.play.session import Refused, Session, resumed
from bdgame_env.records.game_record import BadRecord, GameRecord
from tests.support import bots
from tests.support.toy_game import GAME as TOY


def toy(*seats: str, seed: int = 1, **options: Any) -> Session:
    """A session of the toy game: draw, then keep or swap; a pass ends the turn."""
    return Session(Match(TOY, seed=seed, players=len(seats), **options), seats)


# Who may do what


def test_only_the_seat_to_move_plays_and_only_what_is_legal() -> None:
    session = toy("human", "human:Ann")
    before = session.match.get_state()
    for seat, move, message in [
        (1, "pass", r"seat 0 \(human\) is to move, not seat 1"),
        (0, "take keep", "'take keep' is not legal now; legal moves: draw, pass"),
        (0, "nonsense" * 1000, "… is not legal now; legal moves: draw, pass"),
        (0, "", "'' is not legal now"),
    ]:
        with pytest.raises(Refused, match=message):
            session.play(seat, move)
    assert session.match.get_state() == before and session.number == session.changes == 0
    session.play(0, "pass")
    assert session.to_move == 1 and session.name(1) == "Ann" and session.number == 1


def test_a_move_that_comes_late_or_twice_is_refused() -> None:
    session = toy("human", "human")
    session.play(0, "draw", number=0)
    with pytest.raises(Refused, match="the table has changed: this is decision 2, the move was for decision 1"):
        session.play(0, "draw", number=0)
    assert session.number == 1


def test_nothing_is_played_after_the_end() -> None:
    session = toy("human", "human", max_rounds=1)
    session.play(0, "pass")
    session.play(1, "pass")
    assert session.over and session.to_move is None and session.ending.how == "truncated"
    with pytest.raises(Refused, match="the game is over"):
        session.play(0, "pass")
    with pytest.raises(Refused, match="nothing to undo"):
        session.undo(1)


def test_an_agent_that_fails_forfeits() -> None:
    session = toy("human", "bots:Crashes", "human")
    session.play(0, "pass")
    with pytest.raises(AgentFault, match="raised RuntimeError: lost my way") as fault:
        ask(bots.Crashes(TOY, session.match.config), session.question(), session.match.action_names)
    session.forfeit(1, str(fault.value))
    assert session.over and session.ending.ranks == (1, 3, 1) and session.ending.loser == 1
    again = GameRecord.from_text(session.record().to_text())
    assert again == session.record() and len(list(again.play(TOY))) == 2


# Undoing


def test_a_move_that_reveals_nothing_is_undone() -> None:
    """Loading and collecting in Bdgame is undone in reverse order, back to the beginning of the turn."""
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    states = [session.match.get_state()]
    for move in ("load Y@0", "load R@1", "end", "collect"):
        session.play(0, move)
        states.append(session.match.get_state())
    for left, state in zip((4, 3, 2, 1), states[-2::-1], strict=True):
        assert session.undoable(0) == left and not session.can_undo(1)
        session.undo(0)
        assert session.match.get_state() == state
    assert session.number == 0 and not session.can_undo(0)
    with pytest.raises(Refused, match="nothing to undo"):
        session.undo(0)
    session.play(0, "load B@0")
    assert [move.move for move in session.record().moves] == ["load B@0"]


def test_what_shows_a_hidden_card_cannot_be_undone_nor_what_came_before() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    session.play(0, "collect")
    assert session.can_undo(0)
    session.play(0, "accept 1")  # its place is refilled from the deck
    assert not session.can_undo(0)
    session.play(0, "load Y@0")
    assert session.can_undo(0)
    session.undo(0)
    assert not session.can_undo(0) and session.number == 2


def test_what_can_be_undone_does_not_depend_on_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found out then: moves that nobody may undo any more are not looked at."""
    looked_at: list[int] = []

    def watched(*move: Any) -> bool:
        looked_at.append(move[1])
        return reveals(*move)

    monkeypatch.setattr(session_module, "reveals", watched)
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    for move in ("collect", "accept 1", "load Y@0", "load R@1"):
        session.play(0, move)
    assert not session.can_undo(1) and looked_at == []
    for left in (3, 2):
        assert session.can_undo(0)
        session.undo(0)
        assert session.number == left
    assert not session.can_undo(0) and len(looked_at) == 4
    while session.match.seat == 0:  # the turn passes
        session.play(0, session.match.legal_moves()[0])
    assert not session.can_undo(0) and not session.can_undo(1) and len(looked_at) == 4


def test_moves_that_show_a_hidden_card_are_known_before() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    legal, lasting = session.match.legal_moves(), session.following().lasting
    assert {"accept 0", "accept 1"} <= set(lasting) <= set(legal)
    assert not {"collect", "load Y@0", "end"} & set(lasting)
    for move in lasting:
        twin = Session(session.match.clone(), ("human", "human"))
        twin.play(0, move)
        assert not twin.can_undo(0)


def test_nothing_is_undone_once_the_turn_has_passed() -> None:
    session = toy("human", "human")
    session.play(0, "pass")
    assert not session.can_undo(0) and not session.can_undo(1)


def test_chance_that_was_drawn_is_not_undone() -> None:
    match = Match(TOY, seed=1, rolling=True)
    after = match.clone()
    after.play("roll")
    assert reveals(match, match.string_to_action("roll"), after, [0])


def test_what_only_an_agent_has_seen_can_be_undone() -> None:
    """A machine from the hand: another person has seen it, an agent forgets it."""
    undone = dict.fromkeys(("human", "random"), 0)
    for other in undone:
        session = Session(Match(get_game("nicodemus-v2"), seed=5), ("human", other))
        for move in session.match.legal_moves():
            twin = Session(session.match.clone(), session.seats)
            twin.play(0, move)
            undone[other] += twin.can_undo(0)
    assert undone["human"] == 0 < undone["random"]


@pytest.mark.slow
@pytest.mark.parametrize("game_id", list_games())
def test_a_move_that_can_be_undone_tells_nothing(game_id: str) -> None:
    """Whatever the hidden cards are, the seat would see the same after it."""
    session = Session(Match(get_game(game_id), seed=5), ("human", "human"))
    rng, undone = random.Random(2), 0
    while session.number < 150 and not session.over:
        seat = session.match.seat
        before = session.match.clone()
        session.play(seat, rng.choice(session.match.legal_moves()))
        if session.can_undo(seat):
            undone += 1
            move, seen = session.played[-1].move.move, session.match.snapshot(seat=seat)
            twin = before.clone(determinize=seat, seed=rng.randrange(2**32))
            twin.play(move)
            assert twin.snapshot(seat=seat) == seen
            if rng.random() < 0.3:
                session.undo(seat)
                assert session.match.get_state() == before.get_state()
    assert undone > 0
    assert list(session.record().play(session.match.game))[-1].get_state() == session.match.get_state()


# Who knows what


def test_a_choice_that_others_cannot_see_is_not_told() -> None:
    """Gizmos: the order in which researched cards go under the deck is secret, their number is public."""
    session = Session(Match(get_game("gizmos-v3"), seed=1), ("human", "human"))
    for move in ("research 1", "keep none"):
        session.play(0, move)
    under = next(move for move in session.match.legal_moves() if move.startswith("under"))
    session.play(0, under)
    assert session.known_move(3, 0).move == under
    assert session.known_move(3, 1).move == session.known_move(3, None).move == "under (hidden)"
    assert session.known_move(1, 1).move == "research 1"
    assert under not in session.last_moves(3, 1) and session.last_moves(3, 0)[-1] == under


def test_thoughts_about_hidden_cards_are_not_told() -> None:
    """In the toy game secret cards differ by seat; in Bdgame everybody sees the same."""
    told = {"value": 0.5, "visits": {"pass": 3}}
    session = toy("human", "mcts", "human")
    session.play(0, "pass")
    session.play(1, "pass", remarks=told)
    assert session.known_move(2, 0).remarks == {} and session.known_move(2, 0).choices == 0
    assert session.known_move(2, 1).remarks == told
    session.forfeit(0, "left")
    assert session.known_move(2, 0).remarks == told, "at the end all is open"
    plain = Session(Match(get_game("bdgame-v3"), seed=3), ("mcts", "human"))
    plain.play(0, "collect", remarks=told)
    assert plain.known_move(1, 1).remarks == plain.known_move(1, None).remarks == told


def test_views_are_compared() -> None:
    match = Match(TOY, seed=1)
    assert same_views(match, 0) == {0}
    plain = Match(get_game("bdgame-v3"), seed=1)
    assert same_views(plain, 0) == {0, 1, None}


@pytest.mark.parametrize("game_id", list_games())
def test_tables_are_as_the_seat_sees_the_game(game_id: str) -> None:
    session = Session(Match(get_game(game_id), seed=2), ("human", "human"))

    def marked(number: int, seat: int | None) -> int:
        return sum(part["svg"].count("data-moves") for part in session.table(number, seat)[0])

    assert marked(0, 0) > 0 == marked(0, 1) == marked(0, None)
    session.play(0, session.match.legal_moves()[0])
    assert marked(0, 0) == 0, "the past is no more to be clicked"


# Agents


def test_an_agent_is_shown_nothing_that_its_seat_cannot_see() -> None:
    session = toy("first", "human")
    question = session.question()
    true = session.match.states
    assert question.states["game_seed"][0] != true["game_seed"][0] and question.states["rng"][0] != true["rng"][0]
    assert question.states["secret"][0][0] == true["secret"][0][0]
    many = [session.question().states["secret"][0][1] for _ in range(40)]
    assert len(set(map(int, many))) > 1


def test_a_searcher_tells_what_it_thought() -> None:
    session = toy("mcts", "human")
    agent = make_agent("mcts:sims=40,threads=1", TOY, session.match.config, seed=1)
    answer = ask(agent, session.question(), session.match.action_names)
    visits = answer.remarks["visits"]
    assert 0 < len(visits) <= MOST_MOVES and sum(visits.values()) <= 40
    assert list(visits.values()) == sorted(visits.values(), reverse=True)
    assert -1 <= answer.remarks["value"] <= 1 and answer.remarks["values"].keys() == visits.keys()
    assert answer.remarks["values"].items() <= answer.values.items()
    assert set(answer.values) <= set(session.match.legal_moves())
    session.play(0, session.match.action_names[answer.action], remarks=answer.remarks)
    assert GameRecord.from_text(session.record().to_text()) == session.record()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.array([99], np.int32), "chose action 99, which was not legal"),
        (np.array([2], np.int32), "chose 'take keep', which was not legal"),
        (np.array([0.0]), "answered with shape"),
        ("draw", "answered with shape"),
    ],
)
def test_an_answer_that_is_no_legal_action_is_a_fault(answer: Any, message: str) -> None:
    session = toy("first", "human")

    class Answers(bots.First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            return answer

    with pytest.raises(AgentFault, match=message):
        ask(Answers(TOY, session.match.config), session.question(), session.match.action_names)


# Going on


def test_a_game_goes_on_from_its_record() -> None:
    session = toy("human", "human")
    for move in ("draw", "take swap", "pass", "draw"):
        session.play(session.match.seat, move)
    record = GameRecord.from_text(session.record().to_text())
    again = resumed(record.open(TOY), ["human", "human"], record)
    assert again.match.get_state() == session.match.get_state() and again.record() == session.record()
    with pytest.raises(BadRecord, match="toy-v1"):
        record.open(get_game("bdgame-v3"))


# Seats


@pytest.mark.parametrize(
    ("together", "single", "seats"),
    [
        ("human,mcts,greedy", [], ["human", "mcts", "greedy"]),
        ("human:Ann, mcts:sims=20,c=1,random", [], ["human:Ann", "mcts:sims=20,c=1", "random"]),
        (None, ["human", "program:bot a,b"], ["human", "program:bot a,b"]),
        (None, [], []),
    ],
)
def test_seats_are_read(together: str | None, single: list[str], seats: list[str]) -> None:
    assert read_seats(together, single) == seats


def test_bad_seats_are_refused() -> None:
    with pytest.raises(BadInput, match="one or the other"):
        read_seats("human,random", ["human"])
    with pytest.raises(BadInput, match="a seat is empty"):
        read_seats("human,,random", [])


@pytest.mark.parametrize("preferences", [[[0.5, 0.5]], [None], 7])
def test_an_opinion_that_cannot_be_read_is_a_fault(preferences: Any) -> None:
    session = toy("human", "human")
    agent = bots.First(session.match.game, session.match.config)
    agent.preferences = preferences
    with pytest.raises(AgentFault, match=r"^has an opinion that cannot be read: TypeError"):
        ask(agent, session.question(), session.match.action_names)


def test_endless_preferences_are_not_told() -> None:
    session = toy("human", "human")
    agent, names = bots.First(session.match.game, session.match.config), session.match.action_names
    agent.preferences = np.array([[np.inf, *[1.0] * (len(names) - 1)]], np.float32)
    told = ask(agent, session.question(), names).remarks["preferences"]
    assert len(told) > 1 and np.isfinite([*told.values()]).all()


def test_a_record_starts_no_program_and_imports_nothing() -> None:
    names = [
        "random",
        "mcts:sims=5",
        "program:touch it",
        "os:system",
        "ppo:path=/x.npz",
        "x.npz",
        "human",
        "Ann",
        "mcts:sims=x",
    ]
    seats = []
    for first in range(0, len(names), 3):
        match = Match(get_game("bdgame-v3"), seed=1, players=3)
        seats += seats_of(GameRecord.begun(match, names[first : first + 3]))
    people = [f"human:{name}" for name in names]
    assert seats == [*names[:2], *people[2:6], "human", *people[7:]]


def test_agents_are_checked_with_the_options_of_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that learned to play with three, for example, is refused for two."""

    def for_three(game: Game, config: GameConfig, x: int) -> Agent:
        if config.players != 3:
            raise UnknownAgent("for three players")
        return bots.First(game, config)

    monkeypatch.setattr(registry, "_FACTORIES", {"for-three": for_three})
    game = get_game("bdgame-v3")
    check_agent(game, game.config(players=3), "for-three:x=1")
    with pytest.raises(UnknownAgent, match="for three players"):
        check_agent(game, game.config(players=2), "for-three:x=1")
    for players, name in ((3, "for-three:x=1"), (2, "human:for-three:x=1")):
        record = GameRecord.begun(Match(game, seed=1, players=players), ["for-three:x=1"] * players)
        assert seats_of(record) == [name] * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_gained_in_secret_show_when_the_phase_ends(players: int) -> None:
    """Also in a session that begins in the phase (P60)."""
    match = Match(get_game("pixel-pusher-v2"), seed=12, players=players)
    chance, secret = random.Random(0), 0
    whole = Session(match.clone(), ["random"] * players)
    while not match.over:
        shown = [facts["points"] for facts in match.snapshot()["seats"]]
        secret += shown != match.points()
        for session in (whole, Session(match.clone(), ["random"] * players)):
            assert list(session.points) == shown == match.shown_points()
        assert list(whole.points_at(whole.number)) == shown
        move = chance.choice(match.legal_moves())
        whole.play(match.seat, move)
        match.play(move)
    assert secret and list(whole.points) == match.points()

"""The log of turns: what it tells, and that it tells nobody what that one must not know."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Session

GOOD = {"bdgame-v3": "greedy", "gizmos-v3": "heuristic", "nicodemus-v2": "heuristic", "pixel-pusher-v2": "heuristic"}


def played(
    game_id: str, moves: int, *, seed: int = 3, players: int = 2, good: bool = True, names: Sequence[str] = ()
) -> Session:
    match = Match(get_game(game_id), seed=seed, players=players)
    agent = make_agent(GOOD[game_id] if good else "random", match.game, match.config, seed=seed)
    session = Session(match, ("human",) * players)
    session.call_players(session.seats, names)
    while session.number < moves and not session.over:
        question = session.question()
        action = int(agent.act(question.observation, question.mask, question.states)[0])
        session.play(question.seat, match.action_names[action])
    return session


def turns(session: Session, viewer: int | None) -> list[str]:
    names = [f"S{seat}" for seat in range(session.match.players)]
    log = session.log(viewer)
    last = [place for place in range(len(log)) if place + 1 == len(log) or log[place + 1].first]
    return [log[place].told(names) for place in last]


def in_turns(session: Session, moves: str) -> list[str]:
    for move in moves.split(", "):
        session.play(session.match.seat, move)
    return turns(session, 0)


def test_a_turn_of_bdgame() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3, deck="classic"), ("human", "human"))
    told = in_turns(session, "collect, collect, load Y@0, load Y@0, load R@0, end")
    assert told == ["S0 collected 4 Yellow, loaded 2 Yellow and 1 Red onto hopper H0"]
    session.play(0, "activate 0")
    assert turns(session, 1) == [f"{told[0]}, made 2 Yellow and 1 Red with H0"]


@pytest.mark.parametrize(
    ("game_id", "pieces"),
    [
        ("bdgame-v3", (" fulfilled the order for ", ": 3 points", " bought the ", " built the ", " paid ", " made ")),
        ("gizmos-v3", (" drew 1 ", " put 2 cards under the deck", " from Research for ", " picked 1 ")),
        ("nicodemus-v2", (" from the opponent's hand", " exchanged 2 charcoalium for 2 wood", " repaired ", ", drew ")),
        ("pixel-pusher-v2", (" drafted the ", " machine (", " collected ", " converted ", ": 9 points", " installed ")),
    ],
)
def test_turns_are_told_with_their_results(game_id: str, pieces: tuple[str, ...]) -> None:
    session = played(game_id, 60)
    told = turns(session, 0)
    for piece in pieces:
        assert any(piece in turn for turn in told), (piece, told)
    assert len(told) < 0.7 * len(session.known(0)), "turns, not clicks"


@pytest.mark.parametrize("game_id", list_games())
def test_every_decision_of_every_game_has_its_words(game_id: str) -> None:
    """Whole games at every number of players, by chance, for every viewer, and again with everything open."""
    game = get_game(game_id)
    for players in sorted(set(game.seats)):
        session = played(game_id, 150, seed=players, players=players, good=False)
        for viewer in (None, *range(players)):
            log = session.log(viewer)
            assert len(log) == len(session.known(viewer))
            assert all(text and seat in range(players) for line in log for seat, text in line.events)
            assert all(line.events for line in log)
            assert all(text[0].islower() for line in log for _, text in line.events), "what happened, no command"


@pytest.mark.parametrize("game_id", list_games())
def test_the_log_tells_no_secret(game_id: str) -> None:
    """To a viewer, games that differ only in what it cannot see have the same log."""
    compared = differing = 0
    for seed in range(3):
        whole = played(game_id, 70, seed=seed, good=seed % 2 == 0)
        for viewer in (0, 1):
            for start in range(3, 60, 11):
                one = Session(whole.position(start), ("human", "human"))
                other = Session(whole.position(start).clone(determinize=viewer, seed=start), ("human", "human"))
                for played_move in whole.played[start : start + 6]:
                    move = _alike(one, other, played_move.move.move, viewer)
                    if not move or whole.over:
                        break
                    one.play(one.match.seat, played_move.move.move)
                    other.play(other.match.seat, move)
                    if one.over or one.match.snapshot(seat=viewer) != other.match.snapshot(seat=viewer):
                        break
                    compared += 1
                    differing += one.match.get_state() != other.match.get_state()
                    assert [line.to_json() for line in one.log(viewer)] == [
                        line.to_json() for line in other.log(viewer)
                    ]
    assert compared > 40 and differing > 15, (compared, differing)


def _alike(one: Session, other: Session, move: str, viewer: int) -> str:
    """A move of the other game that the viewer cannot tell from this move; "" if there is none."""
    told = one.match.told(one.match.string_to_action(move), viewer)
    if other.over or other.match.seat != one.match.seat:
        return ""
    if one.match.seat == viewer:
        return move if move in other.match.legal_moves() else ""
    same = [
        each
        for each in other.match.legal_moves()
        if other.match.told(other.match.string_to_action(each), viewer) == told
    ]
    return same[0] if same else ""


def test_hidden_machines_are_not_named_to_spectators() -> None:
    """Nicodemus: what a hand was refilled with, and what was stolen from it, are its owner's and the thief's affair."""
    session = played("nicodemus-v2", 60)
    for turn in turns(session, None):
        assert ", drew " not in turn
        assert "from the opponent's hand" not in turn or "took a machine from the opponent's hand" in turn


def test_the_other_player_is_called_by_name() -> None:
    """Nicodemus, where names are known: what was taken from Ben says so."""
    told = " ".join(turns(played("nicodemus-v2", 60, names=("Ann", "Ben")), 0))
    assert ("from Ann's hand" in told or "from Ben's hand" in told) and "the opponent" not in told


def test_drafts_and_secret_conversions_are_told_when_they_are_open() -> None:
    session = played("pixel-pusher-v2", 60)
    watched = turns(session, None)
    assert not any("drafted" in turn for turn in watched)
    assert any(" turned " in turn and " in Convert" in turn for turn in watched)
    assert not any(turn.startswith("S1 drafted") for turn in turns(session, 0))


def test_pixel_pusher_tells_who_leads_and_who_could_fill_no_line() -> None:
    """P22 to P24 and P55: in every round who goes first in its phases, and in Score each seat once."""
    session = played("pixel-pusher-v2", 10_000, players=3)
    assert session.over
    rounds = session.match.snapshot()["round"]
    told = "; ".join(turns(session, 0))
    leads = [each.split(" goes first in ")[1] for each in told.split("; ") if " goes first in " in each]
    for phase in ("Build", "Collect", "Score"):
        assert sum(phase in phases for phases in leads) == rounds
    scored = sum(told.count(what) for what in (" filled line ", " passed", " had no line to fill"))
    assert scored == 3 * rounds and " had no line to fill" in told


def test_undo_takes_back_the_words_and_the_log_goes_on() -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    assert in_turns(session, "collect, load Y@0") == ["S0 collected 2 Yellow, loaded 1 Yellow onto hopper H0"]
    session.undo(0)
    assert turns(session, 0) == ["S0 collected 2 Yellow"]
    session.undo(0)
    assert turns(session, 0) == []
    assert in_turns(session, "load B@0") == ["S0 loaded 1 Blue onto hopper H0"]
    again = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"))
    for move in session.record().moves:
        again.play(move.seat, move.move)
    assert turns(session, 1) == turns(again, 1)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_what_happened_after_the_last_known_decision_is_told_before_the_next(viewer: int | None) -> None:
    """Pixel Pusher: what hidden choices came to when they are shown. The next line begins with the same."""
    session, told = played("pixel-pusher-v2", 0), []
    agent = make_agent("heuristic", session.match.game, session.match.config, seed=3)
    while not session.over and session.number < 90:
        question = session.question()
        action = int(agent.act(question.observation, question.mask, question.states)[0])
        before = session.since_known(viewer)
        session.play(question.seat, session.match.action_names[action])
        if session.number in session.known(viewer):
            assert session.since_known(viewer) == []
            line = session.log(viewer)[-1]
            for seat, text in before:
                assert any(seat == who and text.split(", ")[0] in all_of_it for who, all_of_it in line.events)
        told += before
    assert told, "something was"

"""Errors stay short, whatever was given: everything that quotes it does so by one function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env import Match
from bdgame_env.adapters.aec import RawAEC
from bdgame_env.adapters.self_play import SnapshotOpponents
from bdgame_env.agents import make_agent
from bdgame_env.agents.networks import load_meta, load_policy
from bdgame_env.engine.learner import Opponent
from bdgame_env.engine.quoting import LIST, LONGEST, cut, listed, shown
from bdgame_env.experiments.inputs import open_game, read_numbers, read_options, read_time_limits
from bdgame_env.games.bdgame.planning import cubes, workshop, workshops_of
from bdgame_env.records.game_record import GameRecord
from bdgame_env.registry import get_game, register_game

LONG = "1" * 5000
MOST_CHARACTERS = 600
GIZMOS = get_game("gizmos-v3")


class Hostile:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Talkative:
    """Says more than a line."""

    def __repr__(self) -> str:
        return "a\nb\t" * 1000


def nested() -> Any:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    return deep


VALUES: dict[str, Any] = {
    "text": LONG,
    "digits": 10**5000,
    "bytes": LONG.encode(),
    "lines": "a\n" * 5000,
    "list": [LONG] * 3,
    "numbers": list(range(10_000)),
    "dict": {LONG: LONG},
    "nested": nested(),
    "array": np.zeros((100, 100)),
    "long name": type("N" * 5000, (), {"__repr__": Hostile.__repr__})(),
    "hostile": Hostile(),
    "talkative": Talkative(),
}
TEXTS = {"text": LONG, "lines": "a\n" * 5000, "spaces": "a " * 5000, "words": "a=b,c:" * 1000}
MATCH = Match(GIZMOS, seed=1)


def _replaced(name: str, value: Any) -> dict[str, Any]:
    return {**MATCH.snapshot(omniscient=True), name: value}


def _config() -> Any:
    return GIZMOS.config()


ANY: dict[str, Callable[[Any], Any]] = {  # what is given any value
    "get_game": get_game,
    "register_game": lambda value: register_game(value, value),
    "keyword": lambda value: bdgame_env.make_gym("gizmos-v3", **{str(shown(value)) * 9: 1}),
    "players": lambda value: bdgame_env.make_match("gizmos-v3", players=value),
    "max_rounds": lambda value: bdgame_env.make_match("gizmos-v3", max_rounds=value),
    "rules": lambda value: bdgame_env.make_match("pixel-pusher-v2", line_points=value),
    "seed": lambda value: bdgame_env.make_match("gizmos-v3", seed=value),
    "action": MATCH.play,
    "action_to_string": MATCH.action_to_string,
    "seat": lambda value: MATCH.observe(value),
    "rows": lambda value: bdgame_env.make_batch("gizmos-v3", 3).step(value),
    "reward": lambda value: bdgame_env.make_aec("gizmos-v3", reward=value),
    "observation": lambda value: bdgame_env.make_aec("gizmos-v3", observation=value),
    "illegal": lambda value: bdgame_env.make_gym("gizmos-v3", illegal=value),
    "render_mode": lambda value: bdgame_env.make_aec("gizmos-v3", render_mode=value),
    "render_mode of a vector": lambda value: bdgame_env.make_vector("gizmos-v3", 2, render_mode=value),
    "opponents": lambda value: bdgame_env.make_gym("gizmos-v3", opponents=[value]),
    "policy": lambda value: bdgame_env.make_gym("gizmos-v3", opponents=Opponent(LONG, policy=value)),
    "snapshot": lambda value: bdgame_env.match_from_snapshot({"game": value}),
    "field of a snapshot": lambda value: bdgame_env.match_from_snapshot(_replaced("round", value)),
    "options of a snapshot": lambda value: bdgame_env.match_from_snapshot(_replaced("options", value)),
    "unknown field": lambda value: bdgame_env.match_from_snapshot(_replaced(shown(value) * 99, 1)),
    "state": lambda value: MATCH.set_state(value),
    "state of an environment": lambda value: RawAEC(GIZMOS).set_state(value),
    "keep": lambda value: SnapshotOpponents(keep=value),
    "agent setting": lambda value: make_agent("mcts", GIZMOS, _config(), sims=value),
    "agent word": lambda value: make_agent("mcts", GIZMOS, _config(), rule=value),
    "cubes": cubes,
    "card": lambda value: workshop([value]),
    "kind of a card": lambda value: workshop([(value, 0, 0)]),
    "cell": lambda value: workshop([("c_1Y_1R", value, value)]),
    "seat of a workshop": lambda value: workshops_of(Match(get_game("bdgame-v3"), seed=1), value),
}
TEXTUAL: dict[str, Callable[[str], Any]] = {  # what is given a text
    "move": MATCH.play,
    "agent": lambda text: make_agent(text, GIZMOS, _config()),
    "agent's settings": lambda text: make_agent(f"mcts:{text}", GIZMOS, _config()),
    "agent's module": lambda text: make_agent(f"{text.replace(' ', '')[:999]}:Bot", GIZMOS, _config()),
    "program": lambda text: make_agent(f"program:{text}", GIZMOS, _config()),
    "program's memory": lambda text: make_agent(f"program:memory={text} x", GIZMOS, _config()),
    "policy": lambda text: load_policy(text, GIZMOS, _config()),
    "policy's meta": load_meta,
    "record": lambda text: GameRecord.from_text(text),
    "option": lambda text: open_game("gizmos-v3", [text]),
    "option twice": lambda text: read_options(GIZMOS, [f"a{text.replace('=', '')}=1"] * 2),
    "option's value": lambda text: open_game("gizmos-v3", [f"max_rounds={text}"]),
    "numbers": lambda text: read_numbers("--players", text),
    "time": lambda text: read_time_limits([text], [text] * 99),
    "time of an agent": lambda text: read_time_limits([f"{text}=1"], ["x" + text] * 99),
}


def short(error: BaseException) -> None:
    told = str(error)
    assert told and "\n" not in told and len(told) <= MOST_CHARACTERS, (len(told), told[:1000])
    assert "1" * (LONGEST + 1) not in told.replace("…", "")


@pytest.mark.parametrize("name", ANY)
def test_errors_quote_little_of_any_value(name: str) -> None:
    for value in VALUES.values():
        with pytest.raises((ValueError, TypeError, LookupError)) as refused:
            ANY[name](value)
        short(refused.value)


@pytest.mark.parametrize("name", TEXTUAL)
def test_errors_quote_little_of_any_text(name: str) -> None:
    for text in TEXTS.values():
        with pytest.raises(ValueError) as refused:  # noqa: PT011  (each has an error of its own)
            TEXTUAL[name](text)
        told = str(refused.value)
        assert told and "\n" not in told and len(told) <= MOST_CHARACTERS, (len(told), told[:1000])


def test_a_card_file_is_quoted_little(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    for text in (f'"{LONG}" = 1', f"[{LONG}]\nx = 1", f'[bank]\nY = "{LONG}"', f"[[special]]\nkind = '{LONG}'", LONG):
        path.write_text(text)
        with pytest.raises(ValueError) as refused:  # noqa: PT011  (BadCards, or TOML's own)
            bdgame_env.make_match("bdgame-v3", deck=path)
        short(refused.value)


def test_shown_is_one_short_line() -> None:
    for told in (
        told for value in VALUES.values() for told in (shown(value), shown([value, value]), shown({"a": value}))
    ):
        assert told and "\n" not in told and len(told) <= LONGEST + len("a value of type …")


def test_lists_of_what_is_allowed_are_short() -> None:
    assert listed(["a", "b"]) == "a, b" and listed([]) == ""
    for names in ([LONG] * 9, map(str, range(10_000)), ["draw", *[LONG] * 99]):
        told = listed(names)
        assert told.endswith(" more") and LIST - LONGEST < len(told) < LIST + len(" and 10000 more")
    assert listed(map(str, range(200))).endswith(", 101 and 98 more")
    assert cut("a\n b") == "a b" and cut(LONG) == "1" * LONGEST + "…"

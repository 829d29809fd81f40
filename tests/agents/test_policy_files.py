"""Policy files that are damaged, foreign or made by hand: one clear line at load, never a failure in the first game."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, list_games, make_batch
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.networks import BadPolicy, load_meta, load_policy, policy_of
from bdgame_env.agents.networks.network import Network
from tests.support import toy_game as toy
from tests.support.policies import plain_policy

GAME = get_game(next(name for name in list_games() if name.startswith("bdgame-")))
CONFIG = GAME.config(max_rounds=2)
Arrays = dict[str, Any]
PLAIN = plain_policy(GAME, CONFIG, scale=0.1)
ROWS = PLAIN.plan.rows
NAMES = Network._fields


def arrays_of(data: bytes) -> Arrays:
    with np.load(io.BytesIO(data)) as file:
        return {name: file[name] for name in file.files}


def bytes_of(arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def meta(**changes: Any) -> Callable[[Arrays], None]:
    def spoil(arrays: Arrays) -> None:
        told = {**json.loads(str(arrays["meta"])), **changes}
        arrays["meta"] = np.array(json.dumps({name: value for name, value in told.items() if value is not ...}))

    return spoil


def put(name: str, make: Callable[[Any], Any]) -> Callable[[Arrays], None]:
    def spoil(arrays: Arrays) -> None:
        arrays[name] = make(arrays.get(name))

    return spoil


def drop(name: str) -> Callable[[Arrays], None]:
    return lambda arrays: arrays.pop(name)


def first(value: Any) -> Callable[[Any], Any]:
    def change(values: Any) -> Any:
        values.flat[0] = value
        return values

    return change


def last(value: Any) -> Callable[[Any], Any]:
    def change(values: Any) -> Any:
        values.flat[-1] = value
        return values

    return change


def both(one: Callable[[Arrays], None], other: Callable[[Arrays], None]) -> Callable[[Arrays], None]:
    def spoil(arrays: Arrays) -> None:
        one(arrays), other(arrays)

    return spoil


FAULTS = [
    ("missing meta", drop("meta"), "'meta' is missing"),
    ("meta no JSON", put("meta", lambda _: np.array("{")), "not a policy file"),
    ("meta deep", put("meta", lambda _: np.array("[" * 100_000)), "not a policy file"),
    ("meta no table", put("meta", lambda _: np.array("[1]")), "meta is not a table"),
    ("meta a number", put("meta", lambda _: np.array(3.0)), "meta is not a table"),
    ("meta numbers", put("meta", lambda _: np.zeros(2)), "not a policy file"),
    ("old format", meta(format=1), "policy format 1, this version reads 3"),
    ("no format", meta(format=...), "policy format None"),
    ("another game", meta(game="chess-v1"), f"a policy for 'chess-v1', not for {GAME.id}"),
    ("no game", meta(game=...), "a policy for None"),
    ("another plan", meta(plan="0" * 16), f"made for other observations or actions than those of {GAME.id} with these"),
    ("no plan", meta(plan=...), "made for other observations or actions"),
    ("plan a number", meta(plan=7), "made for other observations or actions"),
    ("players a number", meta(players=2), "players=2, must be numbers from 2 to 4"),
    ("players none", meta(players=[]), "players="),
    ("players too many", meta(players=[9]), "players="),
    ("players a text", meta(players=["2"]), "players="),
    ("players true", meta(players=[True]), "players="),
    ("no players", meta(players=...), "players=None"),
    ("width 0", meta(width=0), "width=0, must be a whole number from 1 to 4096"),
    ("width too large", meta(width=4097), "width=4097"),
    ("width a fraction", meta(width=8.0), r"width=8\.0"),
    ("width a text", meta(width="8"), "width='8'"),
    ("no width", meta(width=...), "width=None"),
    ("another width", meta(width=7), r"first is float32 \(\d+, 8\), must be float32 or float16 \(\d+, 7\)"),
    ("the greatest width", meta(width=4096), r"first is float32 \(\d+, 8\), must be"),
    ("search scale a text", meta(search_scale="1"), "search_scale='1', must be a number from 0 to 100"),
    ("search scale not a number", meta(search_scale=float("nan")), "search_scale=nan"),
    ("search turns a fraction", meta(search_turns=1.0), r"search_turns=1\.0, must be a whole number from 0 to 100"),
    ("search turns too many", meta(search_turns=101), "search_turns=101"),
    ("layers less than 0", meta(layers=-1), "layers=-1, must be a whole number from 0 to 16"),
    ("layers too many", meta(layers=17), "layers=17"),
    ("layers a text", meta(layers="1"), "layers='1'"),
    ("layers true", meta(layers=True), "layers=True"),
    ("no layers", meta(layers=...), "layers=None"),
    ("a layer too many", meta(layers=2), r"dense is float32 \(1, 8, 8\), must be float32 or float16 \(2, 8, 8\)"),
    ("a layer too few", meta(layers=0), r"dense is float32 \(1, 8, 8\)"),
    *((f"no {name}", drop(name), f"{name} is missing") for name in (*NAMES, "first_rows")),
    *((f"{name} flat", put(name, lambda a: a.reshape(-1, 1)), f"{name} is float32") for name in NAMES),
    *((f"{name} short", put(name, lambda a: a[..., 1:]), f"{name} is float32") for name in NAMES),
    *((f"nan in {name}", put(name, first(np.nan)), f"{name} holds numbers that are not finite") for name in NAMES),
    ("infinity", put("head_bias", first(np.inf)), "head_bias holds numbers that are not finite"),
    ("less than infinity", put("dense", first(-np.inf)), "dense holds numbers that are not finite"),
    ("half infinity", put("cards", lambda a: first(np.inf)(a.astype(np.float16))), "cards holds numbers that are not"),
    ("turned", put("actions", lambda a: a.T), r"actions is float32 \(8, 271\), must be float32 or float16 \(271, 8\)"),
    ("a number", put("action_bias", lambda _: np.float32(1)), r"action_bias is float32 \(\)"),
    ("double precision", put("actions", lambda a: a.astype(float)), "actions is float64"),
    ("integers", put("actions", lambda a: a.astype(np.int8)), "actions is int8"),
    ("other order of bytes", put("actions", lambda a: a.astype(">f4")), "actions is "),
    ("complex", put("heads", lambda a: a.astype(np.complex64)), "heads is complex64"),
    ("text", put("action_bias", lambda _: np.array(["a"])), "action_bias is <U1"),
    ("pickled", put("action_bias", lambda _: np.array([{}], object)), "allow_pickle=False"),
    ("unknown array", put("more", lambda _: np.zeros(1)), "unknown arrays more"),
    ("unknown arrays", both(put("b", lambda _: np.zeros(1)), put("a", lambda _: np.zeros(1))), "unknown arrays a, b"),
    (
        "rows 2-d",
        put("first_rows", lambda a: a[None]),
        rf"first_rows is int32 \(1, \d+\), must be integers, at most {ROWS}",
    ),
    ("rows a number", put("first_rows", lambda _: np.array(3)), "first_rows is int64"),
    ("rows not whole", put("first_rows", lambda a: a * 1.0), "first_rows is float64"),
    ("rows true", put("first_rows", lambda a: a > 0), "first_rows is bool"),
    ("too many rows", put("first_rows", lambda a: np.arange(ROWS + 1)), f"first_rows is int64 .{ROWS + 1},"),
    ("a row less than 0", put("first_rows", first(-1)), f"first_rows must be numbers from 0 to {ROWS - 1}, in order"),
    ("a row beyond", put("first_rows", last(ROWS)), "first_rows must be numbers"),
    (
        "a row far beyond",
        put("first_rows", lambda a: last(2**64 - 1)(a.astype(np.uint64))),
        "first_rows must be numbers",
    ),
    ("a row twice", put("first_rows", first(1)), "first_rows must be numbers"),
    ("rows turned", put("first_rows", lambda a: a[::-1]), "first_rows must be numbers"),
    ("a row missing", put("first_rows", lambda a: a[1:]), rf"first is float32 \({ROWS}, 8\), must be"),
    ("no row", put("first_rows", lambda a: a[:0]), r"first is float32 .*must be float32 or float16 \(0, 8\)"),
]


def check_refused(data: bytes, reason: str, path: Path) -> None:
    """Check that every reader of policies refuses this one."""
    path.write_bytes(data)
    with pytest.raises(BadPolicy, match=reason) as told:
        load_policy(path, GAME, CONFIG)
    assert "\n" not in str(told.value) and str(path) in str(told.value)
    for spec in (f"ppo:path={path}", str(path), f"az:path={path},sims=3"):
        with pytest.raises(UnknownAgent, match=reason) as refused:
            make_agent(spec, GAME, CONFIG)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("spoil", "reason"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_spoiled_policy_is_refused(spoil: Callable[[Arrays], None], reason: str, tmp_path: Path) -> None:
    arrays = arrays_of(PLAIN.to_bytes())
    spoil(arrays)
    check_refused(bytes_of(arrays), reason, tmp_path / "policy.npz")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.npz"
    with pytest.raises(BadPolicy, match=r"none\.npz: no such policy file"):
        load_policy(path, GAME, CONFIG)
    for spec in (f"ppo:path={path}", str(path), f"az:path={path}"):
        with pytest.raises(UnknownAgent, match=r"none\.npz: no such policy file"):
            make_agent(spec, GAME, CONFIG)


def test_meta_is_read_whatever_it_was_made_for(tmp_path: Path) -> None:
    arrays, path = arrays_of(PLAIN.to_bytes()), tmp_path / "policy.npz"
    for meta in ({"game": "chess", "format": 1}, {}):
        path.write_bytes(bytes_of({**arrays, "meta": np.array(json.dumps(meta))}))
        assert load_meta(path) == meta
    path.write_bytes(bytes_of({**arrays, "meta": np.array("[1]")}))
    with pytest.raises(BadPolicy, match="meta is not a table"):
        load_meta(path)
    with pytest.raises(BadPolicy, match=r"none\.npz: no such policy file"):
        load_meta(tmp_path / "none.npz")


def test_whatever_is_no_archive_is_refused(tmp_path: Path) -> None:
    whole, single = PLAIN.to_bytes(), io.BytesIO()
    np.save(single, np.zeros(3))
    for data in (
        b"",
        b"PK",
        pickle.dumps({"meta": 1}),
        single.getvalue(),
        whole[:-1],
        whole[1:],
        whole[: len(whole) // 2],
    ):
        check_refused(data, "not a policy file", tmp_path / "policy.npz")
    for path in (tmp_path, 5, "a\0b"):
        with pytest.raises(BadPolicy, match="not a policy file"):
            load_policy(path, GAME, CONFIG)  # type: ignore[arg-type]
    with pytest.raises(UnknownAgent, match="ppo"):
        make_agent("ppo:path=5", GAME, CONFIG)


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    """An entry that is no array, and one whose header claims more than any memory holds."""
    buffer = io.BytesIO(PLAIN.to_bytes())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("readme.txt", "hello")
    check_refused(buffer.getvalue(), "readme.txt is not an array", tmp_path / "policy.npz")
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**15,)})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("head_bias.npy", header.getvalue())
    check_refused(buffer.getvalue(), "not a policy file", tmp_path / "policy.npz")


def test_a_huge_file_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """By the sizes that the archive states; it is small itself."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in arrays_of(PLAIN.to_bytes()).items():
            part = io.BytesIO()
            np.save(part, data)
            archive.writestr(f"{name}.npy", part.getvalue())
        for entry in archive.infolist()[:3]:
            entry.file_size = 400_000_000
    check_refused(buffer.getvalue(), "more than 1,000,000,000 bytes", tmp_path / "policy.npz")


def test_a_policy_for_another_game_or_other_options_is_refused() -> None:
    """A whole one, of which nothing was spoiled."""
    for game_id in list_games():
        if game_id != GAME.id:
            game = get_game(game_id)
            other = plain_policy(game, game.config()).to_bytes()
            with pytest.raises(BadPolicy, match=f"x.npz: a policy for '{game_id}', not for {GAME.id}"):
                policy_of(other, "x.npz", GAME, CONFIG)
    still = plain_policy(toy.GAME, toy.GAME.config(rolling=False)).to_bytes()
    assert policy_of(still, "x.npz", toy.GAME, toy.GAME.config(rolling=False)).players == (2,)
    with pytest.raises(BadPolicy, match="made for other observations or actions than those of toy-v1 with these opt"):
        policy_of(still, "x.npz", toy.GAME, toy.GAME.config(rolling=True))


@pytest.mark.parametrize("half", [False, True], ids=["single", "half"])
def test_a_policy_that_was_read_plays(half: bool) -> None:
    """With bytes changed anywhere, it is refused or it works."""
    small = plain_policy(GAME, CONFIG, scale=0.1, width=1)
    whole = bytearray(small.to_bytes(half=half))
    rng, batch = np.random.default_rng(0), make_batch(GAME.id, 4, seed=1, max_rounds=2)
    refused = 0
    for _ in range(100):
        data = bytearray(whole)
        for place in rng.integers(0, len(data), rng.integers(1, 4)):
            data[place] = rng.integers(256)
        try:
            read = policy_of(bytes(data), "policy.npz", GAME, CONFIG)
        except BadPolicy:
            refused += 1
            continue
        assert np.isfinite(read.logits(batch.obs, batch.mask)[batch.mask != 0]).all()
        assert np.isfinite(read.values(batch.obs)).all()
    assert refused > 50


@pytest.mark.parametrize(
    "text", ["\ud800", "\x00\x1b[2J", "\u202ea\nb", "x" * 1_000_000], ids=lambda text: ascii(text[:9])
)
@pytest.mark.parametrize("name", ["format", "game", "players", "width", "layers", "search_scale", "search_turns"])
def test_what_a_file_says_of_itself_is_refused_in_one_line(name: str, text: str, tmp_path: Path) -> None:
    arrays, path = arrays_of(PLAIN.to_bytes()), tmp_path / "policy.npz"
    meta(**{name: text})(arrays)
    path.write_bytes(bytes_of(arrays))
    with pytest.raises(BadPolicy) as told:
        load_policy(path, GAME, CONFIG)
    line = str(told.value).removeprefix(str(path))
    assert line.isprintable() and len(line) < 300

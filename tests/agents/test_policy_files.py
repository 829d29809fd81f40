"""Policy files that are damaged, foreign or made by hand: one clear line at load, never a failure in the first game."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, list_games, make_batch
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.networks import BadPolicy, load_policy, policy_of
from tests.support.policies import plain_policy, structured_policy

GAME = get_game(next(name for name in list_games() if name.startswith("bdgame-")))
CONFIG = GAME.config(max_rounds=2)
Arrays = dict[str, Any]
PLAIN, STRUCTURED = plain_policy(GAME, CONFIG, scale=0.1, advisers=2), structured_policy(GAME, CONFIG)


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


FAULTS = [
    ("missing meta", drop("meta"), "'meta' is missing"),
    ("meta no JSON", put("meta", lambda _: np.array("{")), "not a policy file"),
    ("meta no table", put("meta", lambda _: np.array("[1]")), "meta is not a table"),
    ("meta a number", put("meta", lambda _: np.array(3.0)), "meta is not a table"),
    ("old format", meta(format=1), "policy format 1, this version reads 2"),
    ("no format", meta(format=...), "policy format None"),
    ("another game", meta(game="chess-v1"), f"a policy for 'chess-v1', not for {GAME.id}"),
    ("no game", meta(game=...), "a policy for None"),
    ("another size", meta(observation_size=7), "made for 7 features"),
    ("other options", meta(num_actions=3), "and 3 actions"),
    ("no actions", meta(num_actions=...), "None actions"),
    ("players a number", meta(players=2), "players=2, must be numbers from 2 to 4"),
    ("players none", meta(players=[]), "players="),
    ("players too many", meta(players=[9]), "players="),
    ("no players", meta(players=...), "players=None"),
    ("layers less than 0", meta(layers=-1), "layers=-1"),
    ("layers a text", meta(layers="1"), "layers='1'"),
    ("layers true", meta(layers=True), "layers=True"),
    ("no layers", meta(layers=...), "layers=None"),
    ("a layer too many", meta(layers=2), r"policy\.layers\.[01]\.weight are missing"),
    ("weights missing", drop("weights.policy.first.weight"), "weights policy.first.weight are missing"),
    ("bias missing", drop("weights.logits.bias"), "weights logits.bias are missing"),
    ("values missing", drop("weights.expected.weight"), "weights expected.weight are missing"),
    ("weights of another size", put("weights.logits.weight", lambda a: a[1:]), r"logits\.weight is float32 \(270, "),
    ("weights turned", put("weights.policy.first.weight", lambda a: a.T), "policy.first.weight is float32"),
    ("weights flat", put("weights.policy.first.weight", lambda a: a.ravel()), "policy.first.weight is float32"),
    ("weights a number", put("weights.value.first.weight", lambda _: np.float32(1)), "value.first.weight is float32"),
    ("double precision", put("weights.logits.weight", lambda a: a.astype(float)), "logits.weight is float64"),
    ("text", put("weights.logits.bias", lambda _: np.array(["a"])), "logits.bias is <U1"),
    ("nan", put("weights.logits.weight", first(np.nan)), "logits.weight holds numbers that are not finite"),
    ("infinity", put("weights.expected.bias", first(np.inf)), "expected.bias holds numbers that are not finite"),
    ("unknown weights", put("weights.more", lambda _: np.zeros(1, np.float32)), "unknown arrays weights.more|more"),
    ("unknown arrays", put("more", lambda _: np.zeros(1)), "unknown arrays more"),
    ("pickled", put("weights.logits.bias", lambda _: np.array([{}], object)), "allow_pickle=False"),
    ("inputs missing", drop("inputs.scale"), "inputs.scale is missing"),
    ("inputs outside", put("inputs.entries", first(10_000)), "inputs.entries points outside of the observation"),
    ("inputs less than 0", put("inputs.step_entries", first(-1)), "inputs.step_entries points outside"),
    ("inputs no integers", put("inputs.entries", lambda a: a * 1.0), "inputs.entries is float64"),
    ("inputs a number", put("inputs.entries", lambda a: np.array(3)), "inputs.entries is int64"),
    ("scale of another length", put("inputs.scale", lambda a: a[1:]), "inputs.scale is float32"),
    ("scale not finite", put("inputs.scale", first(np.nan)), "inputs.scale holds numbers"),
    ("thresholds", put("inputs.thresholds", lambda a: a[:-1]), "inputs.thresholds is int8"),
]
CARDS = [
    ("kinds", put("cards.kinds", lambda _: np.array(-1)), "cards.kinds must be"),
    ("kinds a list", put("cards.kinds", lambda _: np.array([3])), "cards.kinds must be"),
    ("too few kinds", put("cards.kinds", lambda a: a - 1), "cards"),
    ("faces missing", drop("cards.faces"), "cards.faces is missing"),
    ("faces outside", put("cards.faces", first(10_000)), "cards.faces points outside"),
    ("counts", put("cards.counts", lambda a: a[:, 1:]), "cards.counts is int64"),
    ("grid flat", put("cards.grid", lambda a: a.ravel()), "cards.grid is int64"),
    ("layers", put("cards.layers", lambda a: a[..., 1:]), "cards.layers is int64"),
    ("embedding missing", drop("weights.policy.embedding.weight"), "policy.embedding.weight are missing"),
    ("embedding short", put("weights.value.embedding.weight", lambda a: a[1:]), "value.embedding.weight is float32"),
    ("cards", put("weights.policy.cards.weight", lambda a: a[:, 1:]), "policy.cards.weight is float32"),
    ("cells", put("weights.policy.cells.weight", lambda a: a[:, 1:]), "policy.cells.weight is float32"),
    ("workshop", put("weights.value.workshop.bias", lambda a: a[1:]), "value.workshop.bias is float32"),
]


def check_refused(data: bytes, reason: str, path: Path) -> None:
    """Check that every reader of policies refuses this one."""
    path.write_bytes(data)
    with pytest.raises(BadPolicy, match=reason) as told:
        load_policy(path, GAME, CONFIG.num_actions)
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


@pytest.mark.parametrize(("spoil", "reason"), [fault[1:] for fault in CARDS], ids=[fault[0] for fault in CARDS])
def test_a_spoiled_policy_that_reads_cards_is_refused(
    spoil: Callable[[Arrays], None], reason: str, tmp_path: Path
) -> None:
    arrays = arrays_of(STRUCTURED.to_bytes())
    spoil(arrays)
    check_refused(bytes_of(arrays), reason, tmp_path / "policy.npz")


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
            load_policy(path, GAME, CONFIG.num_actions)  # type: ignore[arg-type]
    with pytest.raises(UnknownAgent, match="ppo"):
        make_agent("ppo:path=5", GAME, CONFIG)


@pytest.mark.parametrize("policy", [PLAIN, STRUCTURED], ids=["plain", "cards"])
def test_a_policy_that_was_read_plays(policy: Any) -> None:
    """With bytes changed anywhere, it is refused or it works."""
    whole = bytearray(policy.to_bytes())
    rng, batch = np.random.default_rng(0), make_batch(GAME.id, 4, seed=1, max_rounds=2)
    advice = np.zeros((4, policy.advisers), np.int16)
    same = policy_of(bytes(whole), "policy.npz", GAME, CONFIG.num_actions)
    np.testing.assert_array_equal(same.logits(batch.obs, advice), policy.logits(batch.obs, advice))
    refused = 0
    for _ in range(100):
        data = bytearray(whole)
        for place in rng.integers(0, len(data), rng.integers(1, 4)):
            data[place] = rng.integers(256)
        try:
            read = policy_of(bytes(data), "policy.npz", GAME, CONFIG.num_actions)
        except BadPolicy:
            refused += 1
            continue
        assert np.isfinite(read.logits(batch.obs, advice)).all() and np.isfinite(read.values(batch.obs)).all()
    assert refused > 50

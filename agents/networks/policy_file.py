"""Reads policy files: every array and every entry of `meta` is checked, so that a policy that loads can play.

A policy file is a `.npz` with the arrays of the network and a JSON text `meta`, which says what game it is for and how
it was trained (`Policy.to_bytes`). Nothing in it is unpickled.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS, Game

from .inputs import CardInputs, Inputs, plan_card_inputs
from .policy import FORMAT, Policy

_MOST_BYTES = 1_000_000_000  # of all arrays together


class BadPolicy(ValueError):
    """A policy file that cannot be used; the message says why, in one line."""


def load_policy(path: str | Path, game: Game, num_actions: int) -> Policy:
    """Read a policy file for a game.

    Raises:
        BadPolicy: it cannot be read, is damaged, or belongs to another game or other options.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise BadPolicy(f"{path}: no such policy file") from None
    except (OSError, TypeError, ValueError) as error:
        raise BadPolicy(f"{path}: not a policy file: {_line(error)}") from None
    return policy_of(data, str(path), game, num_actions)


def policy_of(data: bytes, where: str, game: Game, num_actions: int) -> Policy:
    """The policy in the contents of a policy file.

    Args:
        data: the contents.
        where: the name of the file in error messages.
        game: the game to play.
        num_actions: the number of actions of the game, with the options to play.

    Raises:
        BadPolicy: as `load_policy`.
    """
    try:
        arrays = _arrays(data)
        meta = json.loads(str(arrays.pop("meta")))
    except Exception as error:  # NumPy may raise anything for a file that is not an archive of arrays
        raise BadPolicy(f"{where}: not a policy file: {_line(error)}") from None
    try:
        _check_meta(meta, game, num_actions)
        inputs, cards = _inputs(arrays, game.obs.itemsize), _cards(arrays, game)
        weights = {name.removeprefix("weights."): values for name, values in arrays.items()}
        _check_weights(weights, inputs, cards, meta)
    except BadPolicy as error:
        raise BadPolicy(f"{where}: {error}") from None
    return Policy(inputs, cards, weights, meta)


def _line(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return " ".join(str(error).split()) or type(error).__name__


def _arrays(data: bytes) -> dict[str, npt.NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
            raise BadPolicy(f"more than {_MOST_BYTES:,} bytes")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    if strange := [name for name, values in arrays.items() if not isinstance(values, np.ndarray)]:
        raise BadPolicy(f"{strange[0]} is not an array")
    return arrays


def _check_meta(meta: Any, game: Game, num_actions: int) -> None:
    if not isinstance(meta, dict):
        raise BadPolicy("not a policy file: meta is not a table")
    if meta.get("format") != FORMAT:
        raise BadPolicy(f"policy format {meta.get('format')!r}, this version reads {FORMAT}")
    if meta.get("game") != game.id:
        raise BadPolicy(f"a policy for {meta.get('game')!r}, not for {game.id}")
    size, actions = meta.get("observation_size"), meta.get("num_actions")
    if (size, actions) != (game.obs.itemsize, num_actions):
        raise BadPolicy(
            f"made for {size!r} features and {actions!r} actions,"
            f" the game has {game.obs.itemsize} and {num_actions} with these options"
        )
    low, high = game.seats
    players = meta.get("players")
    if not isinstance(players, list) or not players or not all(_whole(count, low, high) for count in players):
        raise BadPolicy(f"players={players!r}, must be numbers from {low} to {high}")
    if not _whole(meta.get("layers"), 0, 1000):
        raise BadPolicy(f"layers={meta.get('layers')!r}, must be a whole number from 0 to 1000")


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _inputs(arrays: dict[str, npt.NDArray[Any]], size: int) -> Inputs:
    taken = [_take(arrays, f"inputs.{part.name}") for part in fields(Inputs)]
    entries, scale, step_entries, thresholds = taken
    _check_entries("inputs.entries", entries, (len(np.atleast_1d(entries)),), size)
    _check_floats("inputs.scale", scale, entries.shape)
    _check_entries("inputs.step_entries", step_entries, (len(np.atleast_1d(step_entries)),), size)
    if thresholds.dtype != np.int8 or thresholds.shape != step_entries.shape:
        raise BadPolicy(f"inputs.thresholds is {_kind(thresholds)}, must be int8 {step_entries.shape}")
    return Inputs(*taken)


def _cards(arrays: dict[str, npt.NDArray[Any]], game: Game) -> CardInputs | None:
    if "cards.kinds" not in arrays:
        return None
    read: dict[str, Any] = {part.name: _take(arrays, f"cards.{part.name}") for part in fields(CardInputs)}
    kinds, grid = read["kinds"], read["grid"]
    if kinds.shape != () or kinds.dtype.kind not in "iu" or not 0 <= kinds <= 10_000:
        raise BadPolicy("cards.kinds must be a whole number from 0 to 10000")
    cards = CardInputs(**{**read, "kinds": int(kinds)})
    size = game.obs.itemsize
    _check_entries("cards.faces", cards.faces, (len(np.atleast_1d(cards.faces)),), size)
    _check_entries("cards.counts", cards.counts, (len(np.atleast_1d(cards.counts)), cards.kinds), size)
    if grid.ndim != 3:
        raise BadPolicy(f"cards.grid is {_kind(grid)}, must have three dimensions")
    _check_entries("cards.grid", grid, grid.shape, size)
    _check_floats("cards.layer_scale", cards.layer_scale, (len(np.atleast_1d(cards.layer_scale)),))
    _check_entries("cards.layers", cards.layers, (*grid.shape, len(cards.layer_scale)), size)
    whole = plan_card_inputs(game, game.seats)
    if cards.kinds != whole.kinds:
        raise BadPolicy(f"cards.kinds={cards.kinds}, the game has {whole.kinds}")
    for name, mine, theirs in (("faces", cards.faces, whole.faces), ("grid", grid, whole.grid)):
        if not np.isin(mine, theirs).all():
            raise BadPolicy(f"cards.{name} reads entries that hold no card")
    return cards


def _check_weights(
    weights: Mapping[str, npt.NDArray[Any]], inputs: Inputs, cards: CardInputs | None, meta: Mapping[str, Any]
) -> None:
    """Check that all weights are there, are finite, and have shapes that fit together."""
    left = dict(weights)

    def linear(name: str, into: int, out: int | None = None, bias: bool = True) -> int:
        """Check a layer with this many inputs; returns its number of outputs."""
        values = left.pop(f"{name}.weight", None)
        if values is None:
            raise BadPolicy(f"the weights {name}.weight are missing")
        width = (values.shape[0] if values.ndim else 0) if out is None else out
        _check_floats(f"{name}.weight", values, (width, into))
        if bias:
            offsets = left.pop(f"{name}.bias", None)
            if offsets is None:
                raise BadPolicy(f"the weights {name}.bias are missing")
            _check_floats(f"{name}.bias", offsets, (width,))
        return width

    gates = left.get("gates.weight")
    advisers = gates.shape[0] if gates is not None and gates.ndim else 0
    for trunk in ("policy", "value"):
        width = first = linear(f"{trunk}.first", inputs.width)
        if cards is not None:
            embedding = left.get(f"{trunk}.embedding.weight")
            each = embedding.shape[-1] if embedding is not None and embedding.ndim else 0
            linear(f"{trunk}.embedding", each, cards.kinds + 1, bias=False)
            read = each * (len(cards.faces) + len(cards.counts))
            seats, columns, rows = cards.grid.shape
            if seats:
                seen = linear(f"{trunk}.cells", 9 * (each + len(cards.layer_scale)))
                read += seats * linear(f"{trunk}.workshop", seen * columns * rows)
            linear(f"{trunk}.cards", read, first, bias=False)
        if advisers and trunk == "policy":
            linear(f"{trunk}.advised", 2 * advisers, first, bias=False)
        for number in range(meta["layers"]):
            width = linear(f"{trunk}.layers.{number}", width)
        if trunk == "policy":
            linear("logits", width, meta["num_actions"])
            if advisers:
                linear("gates", width, advisers)
        else:
            linear("expected", width, MAX_SEATS)
    if left:
        raise BadPolicy(f"unknown arrays {', '.join(sorted(left))}")


def _take(arrays: dict[str, npt.NDArray[Any]], name: str) -> npt.NDArray[Any]:
    values = arrays.pop(name, None)
    if values is None:
        raise BadPolicy(f"not a policy file: {name} is missing")
    return values


def _check_entries(name: str, values: npt.NDArray[Any], shape: tuple[int, ...], size: int) -> None:
    if values.dtype.kind not in "iu" or values.shape != shape:
        raise BadPolicy(f"{name} is {_kind(values)}, must be integers {shape}")
    if values.size and not (values.min() >= 0 and values.max() < size):
        raise BadPolicy(f"{name} points outside of the observation, which has {size} entries")


def _check_floats(name: str, values: npt.NDArray[Any], shape: tuple[int, ...]) -> None:
    if values.dtype != np.float32 or values.shape != shape:
        raise BadPolicy(f"{name} is {_kind(values)}, must be float32 {shape}")
    if not np.isfinite(values).all():
        raise BadPolicy(f"{name} holds numbers that are not finite")


def _kind(values: npt.NDArray[Any]) -> str:
    return f"{values.dtype} {values.shape}"

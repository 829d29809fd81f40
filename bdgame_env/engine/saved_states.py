"""Saved states that name their game and reveal any damage.

The rules use numbers in a record as indices, so a record that no game can reach could make compiled code read or write
outside its arrays. Each state therefore carries a digest of itself, the game, its cards and its options. The digest
detects damage and mix-ups. It is not a signature: whoever can compute digests can forge states.

Records that a caller writes by itself, into `Match.states` or into the array given to an agent, are not checked, since
that would take longer than to play them. If no game can reach such a record, what comes of it means nothing, but every
loop ends: over the places of an array it stops at the last one, and a playout stops where nothing is legal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .game import Game, GameConfig
from .quoting import shown

_MAGIC = b"bdgame_env state 1\n"
_DIGEST = 16
_KEPT_MARKS = 64


@lru_cache(maxsize=_KEPT_MARKS)
def mark_of(game: Game, config: GameConfig) -> bytes:
    """A digest of what a record depends on: the game, the layout of its records, the cards and the options."""
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for layout in (game.state, config.record.dtype):
        digest.update(repr((game.id, layout.descr)).encode())
    digest.update(config.record.tobytes())
    return digest.digest()


def seal(game: Game, mark: bytes, record: bytes, more: bytes = b"") -> bytes:
    """A record as a state: a magic line, the game's id, the mark, a digest of it all, the record, and whatever more."""
    name = game.id.encode()
    head = _MAGIC + bytes([len(name)]) + name + mark
    return head + _digest(head, record + more) + record + more


def unseal(game: Game, mark: bytes, state: bytes) -> bytes:
    """The record of a state.

    Raises:
        ValueError: it is not a state, belongs to another game or other options, or was changed.
    """
    contents, size = _contents(game, mark, state), game.state.itemsize
    if contents is not None and len(contents) == size:
        return contents
    size += len(_MAGIC) + 1 + len(game.id) + 2 * _DIGEST
    if len(state) != size:
        raise ValueError(f"a state of {game.id} has {size} bytes, not {len(state)}")
    raise ValueError(f"{game.id}: these bytes are no state, or a damaged one")


def unseal_more(game: Game, mark: bytes, state: bytes) -> tuple[bytes, bytes]:
    """The record of a state, and what more is in it, of which there must be some. Errors as in `unseal`."""
    contents, size = _contents(game, mark, state), game.state.itemsize
    if contents is None or len(contents) <= size:
        raise ValueError(f"{game.id}: these bytes are no state of an environment, or a damaged one")
    return contents[:size], contents[size:]


def _contents(game: Game, mark: bytes, state: bytes) -> bytes | None:
    """What follows the head of a state; None if these bytes are none."""
    if not isinstance(state, (bytes, bytearray, memoryview)):
        raise ValueError(f"{game.id}: a state is bytes, not {shown(state)}")
    state = bytes(state)
    start = len(_MAGIC)
    if not state.startswith(_MAGIC) or len(state) == start:
        return None
    name = state[start + 1 : start + 1 + state[start]].decode("ascii", "replace")
    head_size = start + 1 + state[start] + _DIGEST
    head, check, contents = state[:head_size], state[head_size : head_size + _DIGEST], state[head_size + _DIGEST :]
    if len(head) != head_size or check != _digest(head, contents):
        return None
    if name != game.id:
        raise ValueError(f"{game.id}: the state is of {name}")
    if head[-_DIGEST:] != mark:
        raise ValueError(f"{game.id}: the state is of other options, other cards or another release of the game")
    return contents


def digest_of(mark: bytes, arrays: Iterable[npt.NDArray[Any]]) -> bytes:
    """A digest of arrays, their shapes and dtypes, and the game that `mark` stands for."""
    digest = hashlib.blake2b(mark, digest_size=_DIGEST)
    for array in arrays:
        digest.update(repr((array.shape, array.dtype.descr)).encode())
        digest.update(np.ascontiguousarray(array).view(np.uint8).data)
    return digest.digest()


def check_arrays(game_id: str, mark: bytes, state: Any, own: Mapping[str, npt.NDArray[Any]]) -> None:
    """Check that a state holds arrays that can replace `own`, unchanged since the state was made.

    Args:
        game_id: for messages.
        mark: from `mark_of`.
        state: a mapping with the arrays by name, and "digest".
        own: the arrays to be replaced.

    Raises:
        ValueError: it does not; says why in one line.
    """
    if not isinstance(state, Mapping):
        raise ValueError(f"{game_id}: a state is a mapping, not {shown(state)}")
    for name in (*own, "digest"):
        if name not in state:
            raise ValueError(f"{game_id}: this is no state: it has no {name!r}")
    for name, array in own.items():
        given = state[name]
        if not isinstance(given, np.ndarray) or given.shape != array.shape or given.dtype != array.dtype:
            raise ValueError(f"{game_id}: this is no state of {len(array)} games of this kind: {name!r} differs")
    if state["digest"] != digest_of(mark, [state[name] for name in own]):
        raise ValueError(f"{game_id}: the state is of other options or other cards, or was changed")


def _digest(head: bytes, record: bytes) -> bytes:
    return hashlib.blake2b(head + record, digest_size=_DIGEST).digest()

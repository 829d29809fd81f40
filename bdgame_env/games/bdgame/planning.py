"""Planning with Devices: resolve many activations in one call, or list everything one activation can make (B31-B39).

The rules run a Device move by move; here the same compiled functions run over arrays, outside any game:

>>> from bdgame_env.games.bdgame import planning
>>> cards = [("hopper", 0, 2), ("splitter", 1, 2), ("packer", 2, 1), ("c_4Y_3R", 2, 3), ("packer", 3, 3)]
>>> shop = planning.workshop(cards, loads={0: "5Y"})
>>> planning.resolve(shop, [[1], [3]], slots=0).made.tolist()  # 1 Yellow up and 4 down; 3 up and 2 down
[[1, 3, 0], [3, 0, 0]]
>>> planning.enumerate_outputs(shop, 0).made.tolist()
[[1, 3, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]]

A workshop is a WORKSHOP record (see `state`). `workshop` builds one from a list of cards, `workshops_of` takes one from
a match or a snapshot; the workshops of one seat at many matches are `states["seats"]["workshop"][:, seat]`. Colors are
numbered Y, R, B = 0, 1, 2. If you use your own deck, pass it to every call.

Routing choices are answers, in the order in which the rules ask (B53): to a splitter, how many cubes of the color asked
for go up; to a pause card, the color to hold (0-2) or 3 for none. -1, or no answer, leaves it to the default: as many
up as allowed, nothing held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.arguments import check_seat, whole
from ...engine.arrays import Ints, Ints2, Ints3, Rows
from ...engine.game import BadSnapshot
from ...engine.jit import entry_point, kernel
from ...engine.match import Match
from ...engine.quoting import shown
from ...engine.struct import NONE, Struct, unsaved
from ...engine.threads import run_ranges, usable_threads
from ...records.snapshot_reader import Entry
from .cards import COLORS, CUBES_OF_A_COLOR, HOPPER, INLETS, NUM_KINDS, OUTLETS, PAUSE, Deck, standard_deck
from .devices import advance, answer, default_answer, is_legal_answer, next_answer, start
from .layout import is_cell, lay, read_workshop
from .state import ASK_SPLIT, COLUMNS, FLOW, FRESH, HOPPERS, ROWS, WORKSHOP, Config, Flow, Workshop
from .workshop import device_of_slot, finished

DEFAULT = -1  # an answer left to the default
MAX_ANSWER = CUBES_OF_A_COLOR
MAX_QUESTIONS = 3 * 5 * (COLUMNS - 2)  # three at each splitter; five cards in each column except the first and the last


class _Result(Struct):
    """A row of a `Resolution`."""

    purged: Ints = unsaved(np.int16, 3)
    asked: int = unsaved(np.int16)
    made: Ints = unsaved(np.int8, 3)
    bank: Ints = unsaved(np.int8, 3)
    workings: Ints2 = unsaved(np.int8, (COLUMNS, ROWS))
    held: Ints2 = unsaved(np.int8, (COLUMNS, ROWS))
    legal: bool = unsaved(np.bool_)


class _Output(Struct):
    """A row of `Outputs`."""

    routings: int = unsaved(np.int64)
    asked: int = unsaved(np.int16)
    made: Ints = unsaved(np.int8, 3)
    bank: Ints = unsaved(np.int8, 3)
    held: Ints2 = unsaved(np.int8, (COLUMNS, ROWS))
    answers: Ints = unsaved(np.int8, MAX_QUESTIONS)


# What can be wrong with a row; 0 if nothing is.
_NO_RECORD, _NO_SLOT, _LOAD_WITHOUT_HOPPER, _TOO_MANY_CUBES, _UNFINISHED, _NOT_LOADED = range(1, 7)
_PROBLEMS = {
    _NO_RECORD: "the record is no workshop: make it with `workshop`, or take it from a game",
    _NO_SLOT: "no hopper in slot {slot} (B19)",
    _LOAD_WITHOUT_HOPPER: "there are cubes for a slot without a hopper (B29)",
    _TOO_MANY_CUBES: f"bank, hoppers and pause cards hold more than {CUBES_OF_A_COLOR} cubes of a color (B1)",
    _UNFINISHED: "the Device of slot {slot} is not finished (B18)",
    _NOT_LOADED: "no hopper of the Device of slot {slot} holds a cube (B31)",
}
_CODES = 8


@dataclass(frozen=True, eq=False)
class Resolution:
    """The results of n activations. Color axes are Y, R, B; (8, 9) axes are the cells x, y of the workshop.

    Attributes:
        made: int8 (n, 3): cubes that reached packers (B39).
        purged: int16 (n, 3): cubes lost at special parts (B33), including for lack of products in the bank (B36).
        workings: int8 (n, 8, 9): how often each special part worked.
        held: int8 (n, 8, 9): cubes on pause cards afterwards: 0 for none, else color + 1. Copied into `held` of the
            workshops, it starts the next turn (cubes held in a Device that stays idle are lost, B38).
        bank: int8 (n, 3): the bank afterwards.
        asked: int16 (n,): how many questions were asked.
        legal: bool (n,): whether no given answer was illegal; defaults and answers never asked for do not count.
    """

    made: npt.NDArray[np.int8]
    purged: npt.NDArray[np.int16]
    workings: npt.NDArray[np.int8]
    held: npt.NDArray[np.int8]
    bank: npt.NDArray[np.int8]
    asked: npt.NDArray[np.int16]
    legal: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Outputs:
    """The k distinct outputs of one Device and load, ordered by their first routing (answers in ascending order).

    Attributes:
        made: int8 (k, 3): cubes made. Two outputs differ in `made` or in `held`.
        held: int8 (k, 8, 9): cubes on pause cards afterwards, 0 or color + 1.
        bank: int8 (k, 3): the bank afterwards.
        answers: int8 (k, q): the first routing that leads there, as `resolve` takes it; padded with -1.
        routings: int64 (k,): how many routings lead there.
        complete: whether all routings were tried; False if the limit was hit first.
    """

    made: npt.NDArray[np.int8]
    held: npt.NDArray[np.int8]
    bank: npt.NDArray[np.int8]
    answers: npt.NDArray[np.int8]
    routings: npt.NDArray[np.int64]
    complete: bool


# Workshops


def cubes(text: str) -> npt.NDArray[np.int8]:
    """Parse cubes such as "3Y 1R" or "" into counts, int8 (3,).

    Raises:
        ValueError: the text is malformed.
    """
    counts = np.zeros(3, np.int8)
    for word in text.split() if isinstance(text, str) else [shown(text)]:
        match = re.fullmatch(r"(\d{1,2})([YRB])", word)
        if not match or int(match[1]) > CUBES_OF_A_COLOR or counts[COLORS.index(match[2])]:
            raise ValueError(
                f"cubes: {shown(text)} is not cubes such as '3Y 1R', each color once and at most {CUBES_OF_A_COLOR}"
            )
        counts[COLORS.index(match[2])] = int(match[1])
    return counts


def workshop(
    cards: Iterable[tuple[str, int, int]],
    *,
    loads: Mapping[int, str] | None = None,
    held: Mapping[tuple[int, int], str] | None = None,
    deck: Deck | None = None,
) -> npt.NDArray[Any]:
    """A workshop with these cards. Not checked: whether they can be placed in some order (B17), whether the config has
    enough of them (B3, B4), and whether the hoppers hold more than ten cubes (B44).

    Args:
        cards: (kind, x, y) each, e.g. ("c_4Y_3R", 1, 2). The first hopper gets slot 0, the next slot 1, and so on.
        loads: cubes on hoppers by slot, e.g. {0: "3Y 1R"}.
        held: colors on pause cards by cell, e.g. {(3, 2): "Y"}; held since an earlier turn (B37).
        deck: card data; None for the standard deck.

    Returns:
        WORKSHOP records, shape (1,).

    Raises:
        ValueError: in one line: an unknown kind, an illegal layout (B12-B16, B19), cubes where none can be.
            A layout that only removals can lead to (B15a) is refused too; take it from a match.
    """
    deck = deck or standard_deck()
    workshops: npt.NDArray[Any] = Workshop.blank.copy()
    hoppers = 0
    for card in cards:
        if not isinstance(card, Sequence) or isinstance(card, str) or len(card) != 3:
            raise ValueError(f"workshop: {shown(card)} is no card; give (kind, x, y)")
        kind, x, y = card
        hoppers += lay(workshops, deck, "workshop", kind, x, y) == HOPPER
        if hoppers > HOPPERS:
            raise ValueError(f"workshop: more than {HOPPERS} hoppers (B19)")
    _check_touching(workshops[0])
    for slot, load in (loads or {}).items():
        if slot not in range(hoppers):
            raise ValueError(f"workshop: loads names slot {shown(slot)}, but there is no hopper in it (B19)")
        workshops["loaded"][0, slot] = cubes(load)
    for cell, color in (held or {}).items():
        at = tuple(cell) if isinstance(cell, Sequence) else ()
        if len(at) != 2 or not is_cell(*at) or workshops["kinds"][0, at[0], at[1]] != PAUSE:
            raise ValueError(f"workshop: held names {shown(cell)}, where no pause card lies (B37)")
        if color not in COLORS:
            raise ValueError(f"workshop: held color {shown(color)}; known: {', '.join(COLORS)}")
        workshops["held"][0, at[0], at[1]] = COLORS.index(color) + 1
    return workshops


def workshops_of(source: Match | Mapping[str, Any], seat: int, *, deck: Deck | None = None) -> npt.NDArray[Any]:
    """A copy of one seat's workshop.

    Args:
        source: a Bdgame match, or its snapshot (omniscient or not).
        seat: whose workshop.
        deck: card data of a snapshot; None for the standard deck. A match knows its own.

    Returns:
        WORKSHOP records, shape (1,).

    Raises:
        ValueError: there is no such seat, or `source` is not a match or snapshot of Bdgame.
    """
    if isinstance(source, Match):
        if source.game.name != "bdgame":
            raise ValueError(f"workshops_of: a match of bdgame is wanted, not of {source.game.name}")
        players: int = source.players
    elif isinstance(source, Mapping) and isinstance(source.get("seats"), Sequence):
        players = len(source["seats"])
    else:
        raise ValueError(f"workshops_of: a match or a snapshot of bdgame is wanted, not {type(source).__name__}")
    seat = check_seat("workshops_of", seat, players)
    if isinstance(source, Match):
        copied: npt.NDArray[Any] = source.states["seats"]["workshop"][:, seat].copy()
        return copied
    try:
        read: npt.NDArray[Any] = read_workshop(
            Entry(source["seats"][seat], "seat")["workshop"], deck or standard_deck()
        )
    except BadSnapshot as error:
        raise ValueError(f"workshops_of: not of the documented form: {error}") from None
    return read


def _check_touching(laid: Workshop) -> None:
    """B15: no unconnected port touches a card of the neighboring column."""
    for b in range(1, COLUMNS):
        outlets, inlets = int(laid["outlets"][b]), int(laid["inlets"][b])
        for side, ports, x in (("outlet", outlets & ~inlets, b), ("inlet", inlets & ~outlets, b - 1)):
            taken = int(laid["columns"][x])
            touching = ports & (taken | taken << 1 | taken << 2)
            if touching:
                j = (touching & -touching).bit_length() - 1
                raise ValueError(
                    f"workshop: the open {side} at junction {j} of boundary {b} touches a card of column {x} (B15)"
                )


# Resolving


def resolve(
    workshops: npt.ArrayLike,
    answers: npt.ArrayLike | None = None,
    *,
    slots: npt.ArrayLike,
    loads: npt.ArrayLike | None = None,
    bank: npt.ArrayLike | None = None,
    deck: Deck | None = None,
    threads: int | None = None,
) -> Resolution:
    """Activate n Devices (B31-B39), each in its own workshop, in one compiled call. Does not modify its arguments.

    An argument with a single row serves all n activations; its first axis may then be left out.

    Args:
        workshops: WORKSHOP records, shape (n,).
        answers: routing choices (see the module), integers (n, q), -1 to 24. An illegal one is replaced by the default.
        slots: integers (n,): any hopper slot of the Device that is activated.
        loads: cubes on the hoppers by slot, integers (n, 6, 3), instead of those in `workshops`.
        bank: integers (n, 3), 0 to 24; None for all cubes that lie on no hopper or pause card of the workshop.
        deck: card data; None for the standard deck.
        threads: the maximum number of threads; None for one per core. Fewer than 512 activations use one.

    Returns:
        Arrays with n rows.

    Raises:
        ValueError: in one line: bad shapes or numbers, a slot without a hopper, a Device that is not
            finished or holds no cube on a hopper, more than 24 cubes of a color.
    """
    given = _Arguments("resolve", workshops, answers, slots, loads, bank)
    config = _config(deck)
    out: Any = np.zeros(given.count, _Result.dtype)

    def loop(part: int, lo: int, hi: int) -> int:
        work: Any = np.zeros(1, WORKSHOP)
        flow: Any = np.zeros(1, FLOW)
        return resolve_rows(*given.arrays, given.steps, given.options, config, work, flow, out, lo, hi)

    given.check(run_ranges(loop, given.count, usable_threads(threads)))
    return Resolution(**{name: out[name] for name in Resolution.__dataclass_fields__})


def enumerate_outputs(
    workshops: npt.ArrayLike,
    slot: int,
    *,
    loads: npt.ArrayLike | None = None,
    bank: npt.ArrayLike | None = None,
    deck: Deck | None = None,
    limit: int = 100_000,
) -> Outputs:
    """Everything that one activation can make: tries every routing and counts equal outputs together.

    Args:
        workshops: one WORKSHOP record, shape (1,) or ().
        slot: any hopper slot of the Device that is activated.
        loads: cubes on the hoppers by slot, integers (6, 3), instead of those in the record.
        bank: integers (3,), 0 to 24; None for all cubes that lie on no hopper or pause card of the workshop.
        deck: card data; None for the standard deck.
        limit: stop after this many routings.

    Raises:
        ValueError: in one line, as `resolve`.
    """
    given = _Arguments("enumerate_outputs", workshops, None, slot, loads, bank)
    if given.count != 1:
        raise ValueError(f"enumerate_outputs: one workshop, slot, load and bank is wanted, not {given.count}")
    limit = whole("limit", limit, 1, 2**30 - 1, of="enumerate_outputs")
    found: Any = np.zeros(limit, _Output.dtype)  # memory that is not written to is never taken
    index: Any = np.zeros(1 << (2 * int(limit)).bit_length(), np.int32)
    path: Any = np.zeros((2, MAX_QUESTIONS), np.int8)
    work: Any = np.zeros(2, WORKSHOP)
    flow: Any = np.zeros(1, FLOW)
    workshop_rows, _, slot_rows, load_rows, bank_rows = given.arrays
    given_rows = (workshop_rows, slot_rows, load_rows, bank_rows, given.options)
    count, problem, complete = enumerate_routings(*given_rows, _config(deck), work, flow, path, found, index)
    given.check([problem])
    rows = found[:count]
    width = int(rows["asked"].max(initial=0))
    answers = np.where(np.arange(width) < rows["asked"][:, None], rows["answers"][:, :width], DEFAULT).astype(np.int8)
    return Outputs(
        made=rows["made"].copy(),
        held=rows["held"].copy(),
        bank=rows["bank"].copy(),
        answers=answers,
        routings=rows["routings"].copy(),
        complete=bool(complete),
    )


class _Arguments:
    """Checked arguments as arrays for the compiled loops; `steps` is 0 where a single row serves all activations."""

    def __init__(self, caller: str, workshops: Any, answers: Any, slots: Any, loads: Any, bank: Any) -> None:
        self.caller = caller
        self.arrays: tuple[Any, Any, Any, Any, Any] = (
            self.records(workshops),
            self.integers(
                "answers", np.zeros(0, np.int8) if answers is None else answers, (None,), DEFAULT, MAX_ANSWER
            ),
            self.integers("slots", slots, (), 0, HOPPERS - 1),
            self.integers("loads", [[0] * 3] * HOPPERS if loads is None else loads, (HOPPERS, 3), 0, CUBES_OF_A_COLOR),
            self.integers("bank", [0] * 3 if bank is None else bank, (3,), 0, CUBES_OF_A_COLOR),
        )
        self.options: Any = np.array([loads is not None, bank is not None], np.bool_)
        lengths = [len(array) for array in self.arrays]
        self.count = next((length for length in lengths if length != 1), 1)
        for name, length in zip(("workshops", "answers", "slots", "loads", "bank"), lengths, strict=True):
            if length not in (1, self.count):
                raise ValueError(f"{caller}: {name} has {length} rows, but another argument has {self.count}")
        self.steps: Any = np.array([length != 1 for length in lengths], np.int64)

    def records(self, workshops: Any) -> npt.NDArray[Any]:
        given = np.asarray(workshops)
        if given.dtype != WORKSHOP or given.ndim > 1:
            raise ValueError(f"{self.caller}: workshops must be WORKSHOP records of shape (n,), not {_look(given)}")
        return np.require(given.reshape(-1), requirements=["C", "W", "E"])

    def integers(self, name: str, value: Any, shape: tuple[int | None, ...], least: int, most: int) -> npt.NDArray[Any]:
        try:
            given = np.asarray(value)
        except ValueError:
            raise ValueError(f"{self.caller}: {name} is no array: its rows differ in length") from None
        if given.ndim == len(shape):
            given = given[None]
        fits = given.ndim == len(shape) + 1 and all(
            wanted in (None, size) for wanted, size in zip(shape, given.shape[1:], strict=True)
        )
        if not fits or (given.dtype.kind not in "iu" and given.size):
            axes = ", ".join(["n", *("q" if size is None else str(size) for size in shape)])
            axes += "" if shape else ","
            raise ValueError(
                f"{self.caller}: {name} must be integers of shape ({axes}), not {_look(np.asarray(value))}"
            )
        if given.size and not (least <= given.min() and given.max() <= most):
            wrong = given.min() if given.min() < least else given.max()
            raise ValueError(f"{self.caller}: {name} has the number {wrong}, must be {least} to {most}")
        return np.require(given, np.int8, ["C", "W", "E"])

    def check(self, problems: Sequence[int | None]) -> None:
        """Raise an error for the first row that a compiled loop refused."""
        coded = min((problem for problem in problems if problem), default=0)
        if coded:
            row, code = divmod(coded, _CODES)
            slot = int(self.arrays[2][row * int(self.steps[2])])
            where = f"row {row}: " if self.count != 1 else ""
            raise ValueError(f"{self.caller}: {where}{_PROBLEMS[code].format(slot=slot)}")


def _look(array: npt.NDArray[Any]) -> str:
    kind = "records" if array.dtype.names else str(array.dtype)
    return f"{kind} of shape {array.shape}"


def _config(deck: Deck | None) -> Any:
    """The part of a deck that compiled functions read."""
    return _standard_box() if deck is None else _box_of(deck)


@cache
def _standard_box() -> Any:
    return _box_of(standard_deck())


def _box_of(deck: Deck) -> Any:
    config = np.zeros(1, Config.dtype)
    config["shapes"], config["takes"], config["gives"] = deck.shapes, deck.takes, deck.gives
    return config


# Compiled


@entry_point
def resolve_rows(
    workshops: Rows[Workshop],
    answers: Ints2,
    slots: Ints,
    loads: Ints3,
    bank: Ints2,
    steps: Ints,
    options: Ints,
    configs: Rows[Config],
    work: Rows[Workshop],
    flows: Rows[Flow],
    out: Rows[_Result],
    lo: int,
    hi: int,
) -> int:
    """Resolve rows lo..hi-1 into `out`. Returns 0, or 8 * row + problem for the first row that has one.

    `steps`: for each of the five arrays 1, or 0 if it has a single row; `options`: whether loads and bank are given;
    `work` and `flows`: scratch space, one record each.
    """
    config, shop, flow = configs[0], work[0], flows[0]
    for i in range(lo, hi):
        work[0] = workshops[i * steps[0]]
        given, slot, result = answers[i * steps[1]], int(slots[i * steps[2]]), out[i]
        problem = _prepare(shop, slot, loads[i * steps[3]], bank[i * steps[4]], options, config, result.bank)
        if problem:
            return i * _CODES + problem
        start(shop, flow, device_of_slot(shop, slot))
        asked, legal = 0, True
        while flow.ask == ASK_SPLIT or advance(shop, flow, result.bank, result.made, config):
            chosen = int(given[asked]) if asked < given.shape[0] else DEFAULT
            if chosen == DEFAULT:
                chosen = default_answer(flow)
            elif not is_legal_answer(flow, chosen):
                legal = False
                chosen = default_answer(flow)
            answer(shop, flow, chosen)
            asked += 1
        result.asked = asked
        result.legal = legal
        result.purged[:] = flow.purged
        result.workings[:] = flow.workings
        _unmark_holds(shop)
        result.held[:] = shop.held
    return 0


@entry_point
def enumerate_routings(
    workshops: Rows[Workshop],
    slots: Ints,
    loads: Ints3,
    bank: Ints2,
    options: Ints,
    configs: Rows[Config],
    work: Rows[Workshop],
    flows: Rows[Flow],
    path: Ints2,
    found: Rows[_Output],
    index: Ints,
) -> tuple[int, int, bool]:
    """Try all routings, each from the start, counting answers up like an odometer; collect outputs in `found`.

    `work`: two records, the prepared workshop and the running one. `path`: the answers of this routing, each with the
    next legal one. `index`: a hash table of positions in `found`, from 1; its size is a power of 2.
    Returns how many outputs there are, a problem (see `resolve_rows`) and whether all routings were tried.
    """
    config, flow, answers, following = configs[0], flows[0], path[0], path[1]
    slot = int(slots[0])
    work[0] = workshops[0]
    problem = _prepare(work[0], slot, loads[0], bank[0], options, config, found[0].bank)
    if problem:
        return 0, problem, False
    full_0, full_1, full_2 = int(found[0].bank[0]), int(found[0].bank[1]), int(found[0].bank[2])
    device = device_of_slot(work[0], slot)
    shop = work[1]
    count, fixed = 0, 0
    for _ in range(found.shape[0]):
        output = found[count]  # the next free row: every earlier routing took at most one
        output.bank[0], output.bank[1], output.bank[2] = full_0, full_1, full_2
        output.made[:] = 0
        work[1] = work[0]
        start(shop, flow, device)
        asked = 0
        while flow.ask == ASK_SPLIT or advance(shop, flow, output.bank, output.made, config):
            if asked >= fixed:
                answers[asked] = next_answer(flow, NONE)
            following[asked] = next_answer(flow, answers[asked])
            answer(shop, flow, answers[asked])
            asked += 1
        _unmark_holds(shop)
        output.held[:] = shop.held
        output.asked = asked
        output.answers[:] = answers
        same = _find(found, count, index)
        found[same].routings += 1
        if same == count:
            count += 1
        while asked > 0 and following[asked - 1] == NONE:
            asked -= 1
        if asked == 0:
            return count, 0, True
        answers[asked - 1] = following[asked - 1]
        fixed = asked
    return count, 0, False


@kernel
def _find(found: Rows[_Output], count: int, index: Ints) -> int:
    """The number of the first output equal to output `count`, which is added to the index if it is new."""
    output = found[count]
    key = int(output.made[0]) + 25 * int(output.made[1]) + 625 * int(output.made[2])
    for x in range(COLUMNS):
        for y in range(ROWS):
            if output.held[x, y]:
                key = (key * 1021 + x * 36 + y * 4 + int(output.held[x, y])) % 2147483647
    last = index.shape[0] - 1
    at = (key * 1327217885 >> 15) & last  # below 2**62
    while index[at]:
        if _same_output(found[index[at] - 1], output):
            return int(index[at]) - 1
        at = (at + 1) & last
    index[at] = count + 1
    return count


@kernel
def _same_output(one: _Output, other: _Output) -> bool:
    """Whether two outputs have the same cubes made and the same cubes held."""
    for color in range(3):
        if one.made[color] != other.made[color]:
            return False
    for x in range(COLUMNS):
        for y in range(ROWS):
            if one.held[x, y] != other.held[x, y]:
                return False
    return True


@kernel
def _prepare(
    shop: Workshop, slot: int, loads: Ints2, bank: Ints, options: Ints, config: Config, bank_left: Ints
) -> int:
    """Write loads into the workshop and the bank into `bank_left`, and check both; returns 0 or a problem."""
    if not _is_sound(shop, config.shapes):
        return _NO_RECORD
    if shop.hopper_cell[slot] == NONE:
        return _NO_SLOT
    if options[0]:
        shop.loaded[:] = loads
    _unmark_holds(shop)
    for color in range(3):
        count = _cubes_in(shop, color)
        if count < 0:
            return _LOAD_WITHOUT_HOPPER
        if options[1]:
            count += int(bank[color])
            bank_left[color] = bank[color]
        else:
            bank_left[color] = max(0, CUBES_OF_A_COLOR - count)
        if count > CUBES_OF_A_COLOR:
            return _TOO_MANY_CUBES
    device = device_of_slot(shop, slot)
    if not finished(shop, config.shapes, device):
        return _UNFINISHED
    for each in range(HOPPERS):
        if shop.hopper_cell[each] != NONE and device_of_slot(shop, each) == device:
            if shop.loaded[each, 0] or shop.loaded[each, 1] or shop.loaded[each, 2]:
                return 0
    return _NOT_LOADED


@kernel
def _is_sound(shop: Workshop, shapes: Ints) -> bool:
    """Whether the fields of a record agree, so that no function reads or writes out of bounds (B12-B16, B19)."""
    for x in range(COLUMNS):
        cards = int(shop.columns[x])
        if cards < 0 or cards >> ROWS or cards & (cards << 1):
            return False
        inlets, outlets = 0, 0
        y = 0
        while cards >> y:
            if cards >> y & 1:
                kind = int(shop.kinds[x, y])
                if kind < 0 or kind >= NUM_KINDS or shop.held[x, y] < 0 or shop.held[x, y] > 2 * FRESH:
                    return False
                inlets |= int(INLETS[shapes[kind]]) << y
                outlets |= int(OUTLETS[shapes[kind]]) << y
                if shop.held[x, y] and kind != PAUSE:
                    return False
            y += 1
        if shop.inlets[x] != inlets or shop.outlets[x + 1] != outlets:
            return False
    if shop.inlets[0] or shop.outlets[COLUMNS]:
        return False
    for slot in range(HOPPERS):
        cell = int(shop.hopper_cell[slot])
        if cell != NONE:
            if cell < 0 or cell >= COLUMNS * ROWS or int(shop.columns[cell // ROWS]) >> cell % ROWS & 1 == 0:
                return False
            if shop.kinds[cell // ROWS, cell % ROWS] != HOPPER:
                return False
        for color in range(3):
            if shop.loaded[slot, color] < 0 or shop.loaded[slot, color] > CUBES_OF_A_COLOR:
                return False
    return True


@kernel
def _cubes_in(shop: Workshop, color: int) -> int:
    """Cubes of a color on hoppers and pause cards; -1 if some lie in a slot without a hopper."""
    count = 0
    for slot in range(HOPPERS):
        if shop.loaded[slot, color] and shop.hopper_cell[slot] == NONE:
            return -1
        count += int(shop.loaded[slot, color])
    for x in range(COLUMNS):
        if shop.columns[x]:
            for y in range(ROWS):
                if shop.held[x, y] == color + 1:
                    count += 1
    return count


@kernel
def _unmark_holds(shop: Workshop) -> None:
    """B37: clear the marks of cubes held in this turn: the activation counts as one of the next turn."""
    for x in range(COLUMNS):
        if shop.columns[x]:
            for y in range(ROWS):
                if shop.held[x, y] > FRESH:
                    shop.held[x, y] = int(shop.held[x, y]) - FRESH

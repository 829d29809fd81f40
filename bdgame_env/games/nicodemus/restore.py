"""A game from an omniscient snapshot: written, then checked by counting and by reading it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.game import BadSnapshot, Box
from .bric_a_brac import count_of, symbols_of
from .cards import (
    B5,
    COPIES,
    COST,
    KINDS,
    NUM_KINDS,
    NUM_PROJECTS,
    NUM_RESOURCES,
    P1,
    P2,
    P3,
    P4,
    P5,
    R2,
    R4,
    RESOURCES,
    SUPPLY,
    SYMBOL,
    TOKENS,
    WILD_SYMBOL,
    Y1,
    Y2,
)
from .repairing import fee_of, need_of
from .rules import choices, several
from .setup import empty_table
from .snapshot import snapshot
from .state import (
    EXCHANGE,
    EXCHANGES,
    HAND,
    HAND_SIZE,
    KEEP,
    MOST_POINTS,
    NONE,
    NUM_SEATS,
    OFFERED,
    OVER,
    PARTNER,
    PHASES,
    PICK,
    PROJECTS,
    SPACES,
    TARGET,
    TURN,
    WILD,
    WINNING_POINTS,
)

_MOST_IN_DECK, _MOST_PROJECTS_IN_DECK = 45, 11  # N2.2, N2.3
_DISCARDERS = (P1, P2, P3, P5)
# N20: the kinds whose effect leads to a phase.
_EFFECTS = {
    PICK: (B5, *_DISCARDERS, R2, R4),
    HAND: (P1,),
    TARGET: (P2, P3, Y2),
    EXCHANGE: (P4,),
    KEEP: (Y1,),
}
_MOST_PICKS = {P1: 2, P5: 2, R4: 2}  # N20.5; otherwise one


def box_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options a snapshot was made with.

    Raises:
        BadSnapshot: they are not there.
    """
    if data.get("game") != "nicodemus":
        raise BadSnapshot(f"snapshot: game is {data.get('game')!r}, must be 'nicodemus'")
    options = data.get("options")
    if not isinstance(options, Mapping) or "players" not in data:
        raise BadSnapshot("snapshot: 'players' or 'options' is missing")
    return {"players": data["players"], **options}


def restore(data: Mapping[str, Any], box: Box, s: Any) -> None:
    """Write the position into `s`, a zeroed record.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    if "luck" not in data:
        raise BadSnapshot("snapshot: hands and decks are hidden; only omniscient snapshots can be restored")
    try:
        _Writer(data, box, s).write()
        _check_pieces(s)
        _check_workshops(s)
        _check_end(s, box)
        _check_turn(s)
        _restore_choices(s)
    except BadSnapshot:
        raise
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BadSnapshot(f"snapshot: not of the documented form: {type(error).__name__}: {error}") from None
    difference = _first_difference("snapshot", dict(data), snapshot(s, box, True))
    if difference:
        raise BadSnapshot(difference)


class _Writer:
    """Writes one snapshot into one record."""

    def __init__(self, data: Mapping[str, Any], box: Box, s: Any) -> None:
        self.data, self.box, self.s = data, box, s

    def write(self) -> None:
        s, data = self.s, self.data
        empty_table(s)
        s.rng = np.uint64(int(data["luck"]))
        s.round_number = within("round", data["round"], 1, int(self.box.options["max_rounds"]))
        s.seat = within("seat", data["seat"], 0, NUM_SEATS - 1)
        s.phase = number(PHASES, data["phase"], "phase")
        s.over = s.phase == OVER
        s.ending, s.truncated = data["ending"], data["truncated"]
        self.tokens("reserve", data["reserve"], s.reserve)
        self.bric_a_brac(data["bric_a_brac"])
        s.deck_size = len(data["deck"])
        self.fill("deck", [number(KINDS, kind, "deck") for kind in data["deck"]], s.deck, last=True)
        projects = [NONE if project is None else _project("projects", project) for project in data["projects"]]
        self.fill("projects", projects, s.board)
        s.project_deck_size = len(data["project_deck"])
        self.projects("project_deck", data["project_deck"], s.project_deck, last=True)
        self.counts("removed", data["removed"], s.removed)
        self.decision()
        if len(data["seats"]) != NUM_SEATS:
            raise BadSnapshot(f"snapshot: {len(data['seats'])} seats, must be {NUM_SEATS}")
        for place, seat in enumerate(data["seats"]):
            self.seat(f"seats[{place}]", seat, s.seats[place])

    def decision(self) -> None:
        """How far the turn is."""
        s, data = self.s, self.data
        for name in ("played", "effect", "discarded"):
            if data[name] is not None:
                setattr(s, name, number(KINDS, data[name], name))
        s.left = within("left", data["left"], 0, EXCHANGES)
        if data["previous"] is not None:
            s.previous = number(RESOURCES, data["previous"], "previous")
        if data["repair"] is not None:
            repair = data["repair"]
            s.space = within("repair.space", repair["space"], 1, int(s.machines)) - 1
            s.fee = within("repair.fee", repair["fee"], 0, SPACES)
            s.need[:] = [within(f"repair.need.{name}", repair["need"][name], 0, 4) for name in RESOURCES]
        self.projects("offer", data["offer"], s.offer)
        if data["project"] is not None:
            s.project = _project("project", data["project"])
        s.partners = sum(1 << within("partners", position, 1, 3) - 1 for position in set(data["partners"]))
        s.used = sum(1 << within("used", position, 1, 4) - 1 for position in set(data["used"]))

    def tokens(self, where: str, counts: Mapping[str, int], into: Any) -> None:
        into[:] = [within(f"{where}.{name}", counts[name], 0, most) for name, most in zip(TOKENS, SUPPLY, strict=True)]

    def counts(self, where: str, counts: Mapping[str, int], into: Any) -> None:
        for name, count in counts.items():
            kind = number(KINDS, name, where)
            into[kind] = within(f"{where}.{name}", count, 1, int(COPIES[kind]))

    def fill(self, where: str, entries: Sequence[int], into: Any, last: bool = False) -> None:
        """Write into the first or last places of a row that is NONE."""
        if len(entries) > len(into):
            raise BadSnapshot(f"snapshot: {len(entries)} entries in {where}, at most {len(into)}")
        begin = len(into) - len(entries) if last else 0
        into[begin : begin + len(entries)] = entries

    def projects(self, where: str, projects: Sequence[int], into: Any, last: bool = False) -> None:
        self.fill(where, [_project(where, project) for project in projects], into, last)

    def bric_a_brac(self, machines: Sequence[Mapping[str, Any]]) -> None:
        s = self.s
        s.machines = within("the length of bric_a_brac", len(machines), 0, SPACES)
        for space, machine in enumerate(machines):
            if set(machine) != {"kind", "charcoalium"}:
                raise BadSnapshot(f"snapshot: bric_a_brac[{space}] must have kind and charcoalium")
            s.kinds[space] = number(KINDS, machine["kind"], "bric_a_brac")
            s.coal[space] = within("bric_a_brac.charcoalium", machine["charcoalium"], 0, SUPPLY[0])

    def seat(self, where: str, data: Mapping[str, Any], seat: Any) -> None:
        seat.points = within(f"{where}.points", data["points"], 0, MOST_POINTS)
        self.tokens(f"{where}.tokens", data["tokens"], seat.tokens)
        self.counts(f"{where}.hand", data["hand"], seat.hand)
        seat.hand_size = within(f"the size of {where}.hand", int(seat.hand.sum()), 0, HAND_SIZE)
        self.fill(f"{where}.workshop", [number(KINDS, kind, where) for kind in data["workshop"]], seat.workshop)
        seat.machines = len(data["workshop"])
        for name in ("reserved", "completed", "rejected"):
            self.projects(f"{where}.{name}", data[name], seat[name])
        self.counts(f"{where}.lost", data["lost"], seat.lost)


def within(where: str, value: Any, least: int, most: int) -> int:
    """The value, if it is a whole number of the range.

    Raises:
        BadSnapshot: it is not.
    """
    if type(value) is not int or not least <= value <= most:
        raise BadSnapshot(f"snapshot: {where} is {value!r}, must be {least} to {most}")
    return value


def number(names: Sequence[str], name: Any, what: str) -> int:
    """The place of a name in a list.

    Raises:
        BadSnapshot: it is not there.
    """
    if name not in names:
        raise BadSnapshot(f"snapshot: {what} is {name!r}; known: {', '.join(names)}")
    return names.index(name)


def _project(where: str, project: Any) -> int:
    return within(where, project, 0, NUM_PROJECTS - 1)


def _check_pieces(s: Any) -> None:
    """N24.1, N24.2: every token, machine and project is there, and no more of them."""
    for token, name in enumerate(TOKENS):
        total = int(s.reserve[token]) + sum(int(seat.tokens[token]) for seat in s.seats)
        total += int(s.coal.sum()) if token == 0 else 0
        if total != SUPPLY[token]:
            raise BadSnapshot(f"snapshot: {total} {name}, must be {SUPPLY[token]} (N1.3)")
    rows: list[Iterable[Any]] = [s.deck, s.kinds, *(seat.workshop for seat in s.seats)]
    machines = Counter(int(kind) for row in rows for kind in row if kind != NONE)
    for kind in range(NUM_KINDS):
        counted = [s.removed[kind], *(seat.hand[kind] for seat in s.seats), *(seat.lost[kind] for seat in s.seats)]
        total = machines[kind] + sum(map(int, counted))
        if total != COPIES[kind]:
            raise BadSnapshot(f"snapshot: {total} machines {KINDS[kind]}, must be {COPIES[kind]} (N1.1)")
    if s.deck_size > _MOST_IN_DECK:
        raise BadSnapshot(f"snapshot: {s.deck_size} machines in the deck, at most {_MOST_IN_DECK} (N2.2)")
    if s.project_deck_size > _MOST_PROJECTS_IN_DECK:
        raise BadSnapshot(f"snapshot: {s.project_deck_size} tiles in the project deck, at most 11 (N2.3)")
    rows = [s.board, s.project_deck, s.offer]
    rows += [row for seat in s.seats for row in (seat.reserved, seat.completed, seat.rejected)]
    projects = Counter(int(project) for row in rows for project in row if project != NONE)
    for project in range(NUM_PROJECTS):
        if projects[project] != 1:
            raise BadSnapshot(f"snapshot: project {project} is there {projects[project]} times, must be once (N1.4)")


def _check_workshops(s: Any) -> None:
    """N8.1, N13.5, N24.3: between turns no workshop holds four machines, and the bric-a-brac is not full."""
    repaired = s.phase in (PROJECTS, PARTNER)
    for place, seat in enumerate(s.seats):
        most = 4 if repaired and place == s.seat else 3
        if seat.machines > most:
            raise BadSnapshot(f"snapshot: {seat.machines} machines in workshop {place}, at most {most} (N8.1)")
    most = SPACES if s.played != NONE else SPACES - 1
    if s.machines > most:
        raise BadSnapshot(f"snapshot: {s.machines} machines on the bric-a-brac, at most {most} (N13.5)")


def _check_end(s: Any, box: Box) -> None:
    """N15, N24.4: whether the end is triggered, by what, and whether the game is over."""
    reached = [bool(seat.points >= WINNING_POINTS) for seat in s.seats]
    if any(reached) and not s.ending:
        raise BadSnapshot("snapshot: 20 points are reached, but ending is false (N15.1)")
    if s.ending and not any(reached) and s.deck_size:
        raise BadSnapshot("snapshot: ending is true, but nothing has triggered it (N15.1)")
    scoring = s.phase in (PROJECTS, PARTNER)
    if not s.over and reached[s.seat] and not scoring:
        raise BadSnapshot("snapshot: the seat to move has 20 points already (N15.2)")
    if not s.over and s.seat == 0 and s.ending and not (scoring and reached[0] and not reached[1]):
        raise BadSnapshot("snapshot: the round is over and the end triggered, but the game goes on (N15.2)")
    at_limit = s.over and not s.ending and s.round_number == box.options["max_rounds"]
    if bool(s.truncated) != bool(at_limit):
        raise BadSnapshot("snapshot: truncated, but not by the round limit, or the other way round")
    if s.over and (s.seat == 0 or not (s.ending or s.truncated)):
        raise BadSnapshot("snapshot: phase 'over', but nothing has ended the game (N15.2)")


def _check_turn(s: Any) -> None:
    """N20: what belongs to a decision is there in its phase, and only there."""
    phase, name = int(s.phase), PHASES[s.phase]
    played, effect = int(s.played), int(s.effect)
    last = int(s.kinds[s.machines - 1]) if s.machines else NONE
    asked_of_play = phase in _EFFECTS
    if (played != NONE) != asked_of_play or (played != NONE and played != last):
        raise BadSnapshot(f"snapshot: phase {name!r} does not go with played, which lies last in the row (N4.1)")
    if effect != NONE and effect != played and (played != Y2 or effect == Y2):
        raise BadSnapshot(f"snapshot: effect {KINDS[effect]} cannot be that of {KINDS[played]} (N12.2)")
    production = phase == PICK and effect == NONE and SYMBOL[played] == WILD_SYMBOL
    if effect not in _EFFECTS.get(phase, (NONE,)) and not production:
        raise BadSnapshot(f"snapshot: phase {name!r} does not go with effect (N20)")
    before = [*s.kinds[: s.machines - 1], s.discarded] if asked_of_play else []
    if effect != played and effect != NONE and effect not in before:
        raise BadSnapshot(f"snapshot: effect {KINDS[effect]} is copied from no machine before (N12.2.2)")
    _check_discarded(s, phase, effect)
    _check_left(s, phase, name, effect)
    _check_repair(s, phase)
    if (s.offer[OFFERED - 1] != NONE) != (phase == KEEP) or (phase != KEEP and s.offer[0] != NONE):
        raise BadSnapshot(f"snapshot: phase {name!r} does not go with offer (N12.1)")
    _check_project(s, phase, name)


def _check_discarded(s: Any, phase: int, effect: int) -> None:
    """N10.7, N16.4: the machine that is picked from has just gone."""
    if (s.discarded != NONE) != (phase == PICK and effect in _DISCARDERS):
        raise BadSnapshot("snapshot: discarded does not go with phase and effect (N20.5)")
    if s.discarded != NONE:
        gone = s.seats[s.seat].lost if effect == P1 else s.removed
        if gone[s.discarded] == 0:
            raise BadSnapshot(f"snapshot: discarded {KINDS[s.discarded]} is not among those that left the game")


def _check_left(s: Any, phase: int, name: str, effect: int) -> None:
    """N20.4, N20.5: how many picks, exchanges or reductions are due, and what was named before."""
    if phase == EXCHANGE:
        fits = s.left > 0 and s.previous == NONE
    elif phase == PICK:
        most = _MOST_PICKS.get(effect, 1)
        fits = 0 < s.left <= most and (s.previous == NONE) == (s.left == most)
        if s.previous != NONE and s.discarded != NONE:
            fits = fits and bool(COST[s.discarded, s.previous])
    elif phase == WILD:
        fits = s.left > 0
    else:
        fits = s.left == 0 and s.previous == NONE
    if not fits:
        raise BadSnapshot(f"snapshot: phase {name!r} does not go with left or previous (N20.4)")


def _check_repair(s: Any, phase: int) -> None:
    """N6.3-N6.6, N20.4: need and fee are as they follow, with so many reductions taken, in rising order."""
    if (s.space != NONE) != (phase == WILD):
        raise BadSnapshot(f"snapshot: phase {PHASES[phase]!r} does not go with repair")
    if phase != WILD:
        return
    me, space = s.seats[s.seat], int(s.space)
    symbols = symbols_of(me.workshop, int(me.machines))
    fee = fee_of(s, space, symbols)
    if s.fee != fee or fee > me.tokens[0]:
        raise BadSnapshot(f"snapshot: repair.fee is {s.fee}, must be {fee}, of {me.tokens[0]} charcoalium (N6.5)")
    full = [need_of(int(s.kinds[space]), resource, symbols) for resource in range(NUM_RESOURCES)]
    taken = [before - int(now) for before, now in zip(full, s.need, strict=True)]
    due = min(count_of(symbols, WILD_SYMBOL), sum(full))
    named = [resource for resource in range(NUM_RESOURCES) if taken[resource]]
    if min(taken) < 0 or sum(taken) + int(s.left) != due or s.previous != max(named, default=NONE):
        raise BadSnapshot("snapshot: repair.need does not go with left and previous (N6.4)")


def _check_project(s: Any, phase: int, name: str) -> None:
    """N7: the project is there, and positions are of the workshop."""
    me = s.seats[s.seat]
    if (s.project != NONE) != (phase == PARTNER) or (s.partners and phase != PARTNER):
        raise BadSnapshot(f"snapshot: phase {name!r} does not go with project or partners (N20)")
    if s.project != NONE and s.project not in [*s.board, *me.reserved]:
        raise BadSnapshot(f"snapshot: project {s.project} is not there for the seat to complete (N7.1)")
    if phase not in (PROJECTS, PARTNER):
        if s.used:
            raise BadSnapshot(f"snapshot: phase {name!r} does not go with used (N7.6)")
        return
    if s.used and (int(s.used).bit_length() != me.machines or several(s.used) != (s.used != 0)):
        raise BadSnapshot("snapshot: used must hold the newest machine and others of the workshop (N7.2)")
    if s.used and me.completed[0] == NONE:
        raise BadSnapshot("snapshot: used, but no project is completed (N7.6)")
    if int(s.partners).bit_length() >= max(1, int(me.machines)):
        raise BadSnapshot("snapshot: partners must be older machines of the workshop (N7.2)")


def _restore_choices(s: Any) -> None:
    """N20.2: what is asked follows from the rest, and leaves a choice."""
    if s.phase in (TURN, OVER):
        return
    s.choices = choices(s)
    if s.choices == 0 or not (several(s.choices) or s.phase in (EXCHANGE, PROJECTS)):
        raise BadSnapshot(f"snapshot: phase {PHASES[s.phase]!r} has nothing to ask (N20.2)")


def _first_difference(path: str, given: Any, read: Any) -> str:
    """Where the data given differs from the position it was read as; "" if nowhere."""
    if isinstance(read, dict) and isinstance(given, Mapping):
        for key in [*read, *(key for key in given if key not in read)]:
            if key not in given or key not in read:
                return f"{path}: the entry {key!r} is {'missing' if key not in given else 'unknown here'}"
            if found := _first_difference(f"{path}.{key}", given[key], read[key]):
                return found
        return ""
    if isinstance(read, list) and isinstance(given, Sequence) and not isinstance(given, str):
        if len(read) != len(given):
            return f"{path}: {len(given)} entries, of which {len(read)} can be read"
        for index, (one, other) in enumerate(zip(given, read, strict=True)):
            if found := _first_difference(f"{path}[{index}]", one, other):
                return found
        return ""
    return "" if given == read and type(given) is type(read) else f"{path} is {given!r}, but reads as {read!r}"

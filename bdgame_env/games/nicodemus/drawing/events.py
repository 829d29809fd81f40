"""What happened in a turn of Nicodemus, in the past tense, with what it brought and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....render.wording import Event, Step, difference, listed_words, points_words
from ..cards import KINDS, POINTS
from .words import MOST_KEPT, copies, machine, project

_ROW = 5  # spaces (N13.4)
_USES = {"charcoalium": "for its value", "produce": "to produce", "effect": "for its effect"}


def events(steps: Sequence[Step]) -> list[Event]:
    """See `Wording.events`."""
    known = [step for step in steps if step.move]
    if not known:
        return []
    seat = known[0].seat or 0
    before, after = known[0].before.snapshot, known[-1].after.snapshot
    told = [(seat, text) for text in _decisions(known)]
    if known[0].move.startswith(tuple(_USES)):
        told += _results(before, after, seat, known)
    told += [(seat, text) for text in (*_gone(known), *_drawn(before, after, seat))]
    return told


def _decisions(steps: Sequence[Step]) -> Iterator[str]:
    """What was decided, without what that brought."""
    exchanged = [step.move.split()[1] for step in steps if step.move.startswith("exchange")]
    for step in steps:
        verb, _, rest = step.move.partition(" ")
        if verb in _USES:
            yield f"played {machine(rest)} {_USES[verb]}"
        elif verb == "exchange" and step.move.split()[1] in exchanged:
            count, (give, _, gain) = exchanged.count(rest), rest.partition("-")
            yield f"exchanged {count} {give} for {count} {gain}"
            exchanged = [each for each in exchanged if each != rest]
        elif verb == "discard":
            yield f"discarded {machine(rest) if rest else 'a machine'} from hand"
        elif verb == "target":
            did = "copied" if copies(step.before.snapshot) else "discarded"
            yield f"{did} {machine(_in_row(step))} on space {rest}"
        elif verb == "keep":
            yield f"reserved the {project(int(rest))}"
        elif verb == "repair":
            yield _repaired(steps[steps.index(step) :], int(rest))
        elif verb == "complete":
            yield f"completed the {project(int(rest))}"
        elif verb == "pass":
            yield "passed"


def _repaired(steps: Sequence[Step], space: int) -> str:
    """A repair, with what it cost and brought, all that wild symbols save included."""
    seat, before = steps[0].seat or 0, steps[0].before.snapshot
    kind = before["bric_a_brac"][space - 1]["kind"]
    paying = [step for step in steps if step.move.startswith(("repair", "wild"))]
    mine, then = before["seats"][seat], paying[-1].after.snapshot["seats"][seat]
    if paying[-1].after.snapshot["repair"] is not None:
        return f"started to repair {machine(kind)} on space {space}"
    found = int(before["bric_a_brac"][space - 1]["charcoalium"])
    _, paid = difference({**mine["tokens"], "charcoalium": mine["tokens"]["charcoalium"] + found}, then["tokens"])
    gained = f" and {found} charcoalium" if found else ""
    worth = points_words(int(POINTS[KINDS.index(kind)]))
    return f"repaired {machine(kind)} on space {space} for {_tokens(paid)}: {worth}{gained}"


def _results(before: Any, after: Any, seat: int, steps: Sequence[Step]) -> Iterator[Event]:
    """Tokens that changed hands, and machines that the other lost."""
    scene = steps[0].before
    opponent = scene.called(1 - seat) if scene.names else "the opponent"
    mine, other = before["seats"][seat], before["seats"][1 - seat]
    mine_then, other_then = after["seats"][seat], after["seats"][1 - seat]
    more, _ = difference(mine["tokens"], mine_then["tokens"])
    _, lost = difference(other["tokens"], other_then["tokens"])
    if more and not any(step.move.startswith("exchange") for step in steps):
        from_whom = f"from {opponent}"
        whose = "" if not lost else f" {from_whom}" if lost == more else f" ({_tokens(lost)} {from_whom})"
        yield seat, f"{'took' if lost == more else 'gained'} {_tokens(more)}{whose}"
    elif lost:
        yield seat, f"made {opponent} return {_tokens(lost)}"
    stolen, _ = difference(other["known"] or {}, other_then["known"] or {})
    missing = _size(other["hand"]) - _size(other_then["hand"])
    if missing and _stole(steps):
        what = _machines(stolen) if stolen else "a machine"
        yield seat, f"took {what} from {opponent}'s hand"
    elif missing:
        _, gone = difference(other["hand"], other_then["hand"]) if not isinstance(other["hand"], int) else ({}, {})
        what = _machines(gone) if gone else f"{missing} machine{'' if missing == 1 else 's'}"
        yield 1 - seat, f"discarded {what} from hand"


def _gone(steps: Sequence[Step]) -> Iterator[str]:
    """Machines that left the game without having been chosen: of a full workshop or row, or as the last of the row."""
    before, after = steps[0].before.snapshot, steps[-1].after.snapshot
    seat = steps[0].seat or 0
    repaired = [_in_row(step) for step in steps if step.move.startswith("repair")]
    had, then = before["seats"][seat]["workshop"], after["seats"][seat]["workshop"]
    workshop = Counter([*had, *repaired]) - Counter(then)
    if then == repaired and len(had) == MOST_KEPT and not any(step.move.startswith("complete") for step in steps):
        yield f"lost {_machines(workshop)} from the full workshop"
    chosen = [_in_row(step) for step in steps if step.move.startswith("target") and not copies(step.before.snapshot)]
    gone = Counter(after["removed"]) - Counter(before["removed"]) - workshop - Counter(chosen)
    if gone.total() >= _ROW:
        yield f"cleared spaces 1 to 5, as all ten were full: {_machines(gone)}"
    elif gone:
        yield f"discarded {_machines(gone)} from the bric-a-brac"


def _in_row(step: Step) -> str:
    """The machine on the space that a move names."""
    kind: str = step.before.snapshot["bric_a_brac"][int(step.move.split()[1]) - 1]["kind"]
    return kind


def _stole(steps: Sequence[Step]) -> bool:
    """Whether the effect that ran is one that steals, also where it was copied."""
    kinds = [step.move.split()[1] for step in steps if step.move.startswith("effect")]
    for step in steps:
        if step.move.startswith("target"):
            kinds.append(step.before.snapshot["bric_a_brac"][int(step.move.split()[1]) - 1]["kind"])
    return bool({"R1", "R2"} & set(kinds))


def _drawn(before: Any, after: Any, seat: int) -> Iterator[str]:
    """The machines that a hand was refilled with, for its owner; for others not even their number is new."""
    hand, then = before["seats"][seat]["hand"], after["seats"][seat]["hand"]
    if isinstance(hand, int) or isinstance(then, int) or (after["seat"] == seat and after["phase"] != "over"):
        return
    more, _ = difference(hand, then)
    known = (position["seats"][1 - seat]["known"] or {} for position in (before, after))
    stolen, _ = difference(*known)
    new = {kind: count - stolen.get(kind, 0) for kind, count in more.items() if count > stolen.get(kind, 0)}
    if new:
        yield f"drew {_machines(new)}"


def _size(hand: Any) -> int:
    return hand if isinstance(hand, int) else sum(hand.values())


def _machines(counts: Mapping[str, int]) -> str:
    return listed_words(machine(kind) if n == 1 else f"{n} {machine(kind)}" for kind, n in counts.items())


def _tokens(counts: Mapping[str, int]) -> str:
    return listed_words([f"{count} {name}" for name, count in counts.items()] or ["nothing"])

"""What happened in Pixel Pusher, in the past tense; Collect and secret conversions included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ....render.wording import Event, Step, difference, listed_words, points_words
from ..cards import CARDS, LINE_POINTS
from ..collect_steps import BUILD, collected
from .words import NAMES, card_name, card_of, image_name, installed, recipe, side

_CONVERT = ("convert", "store")


def events(steps: Sequence[Step]) -> list[Event]:
    """See `Wording.events`."""
    found: list[tuple[int, str, str]] = []  # the seat, what it did, to what
    for step in steps:
        if step.seat is not None and step.move:
            found += [(step.seat, *told) for told in _decided(step)]
        found += [
            (seat, "", told) for seat, told in [*_left_over(step), *_leading(step), *_all(step), *_without_a_line(step)]
        ]
    told: list[Event] = []
    for place, (seat, verb, what) in enumerate(found):
        before = found[place - 1] if place else (-1, "", "")
        if verb and before[:2] == (seat, verb):
            told[-1] = (seat, f"{told[-1][1]}, {what}")
        else:
            told.append((seat, f"{verb} {what}".strip()))
    if not told and steps[-1].seat is not None and steps[-1].move == "finish":
        told = [(steps[-1].seat, "converted nothing")]
    return told


def _decided(step: Step) -> list[tuple[str, str]]:
    """What a seat decided, as verb and object."""
    verb, _, rest = step.move.partition(" ")
    words, position = rest.split(), step.before.snapshot
    if verb in ("draft", "install", "discard"):
        card = card_of(position, verb, int(words[0]), step.seat)
        what = card_name(card)
        if verb == "install":
            return [("installed", f"in slot {words[3]}: {installed(card, words[1])}")]
        return [("drafted", what)] if verb == "draft" else [("discarded", f"{what}{_pixel(step)}")]
    if verb == "activate":
        return [("sold", f"{side(rest[0])} for 2 points")] if rest.endswith("VP") else [("converted", recipe(rest))]
    if verb == "give":
        return [("paid" if position["phase"] == "pay" else "gave back", f"a {NAMES[rest]} pixel")]
    if verb == "fill":
        return [("filled", _line(step, int(words[0]), int(words[2])))]
    return [("passed", "")] if verb == "pass" else []


def _pixel(step: Step) -> str:
    """The pixel that a discarded card brought, unless Collect follows at once and it cannot be told from the others."""
    taken = collected(step.before.snapshot, step.after.snapshot)
    if step.seat is None or (taken is None and step.after.snapshot["phase"] not in BUILD):
        return " for a pixel"
    more, _ = _changes(step, step.seat)
    brought = Counter(more) - (Counter() if taken is None else taken[step.seat])
    return f" for a {_pixels(brought)} pixel" if brought else " for no pixel: none is left"


def _line(step: Step, place: int, line: int) -> str:
    image = step.before.snapshot["images"][place]["image"]
    cells = CARDS.image_lines[image - 1][line]
    points = int(LINE_POINTS[step.before.config.record[0].printing, image, line])
    return f"line {line + 1} of the {image_name(image)} ({cells}): {points_words(points)}"


def _all(step: Step) -> list[Event]:
    """What everybody can see of the others when Collect is over, and when secret conversions are shown."""
    began, ended = step.before.snapshot["phase"], step.after.snapshot["phase"]
    found: list[Event] = []
    players, first = step.before.players, step.before.snapshot["leaders"]["collect"]
    taken = collected(step.before.snapshot, step.after.snapshot)
    for seat in ((first + place) % players for place in range(players)):
        more, less = _changes(step, seat)
        if began in BUILD and ended not in BUILD:
            also = ""
            if taken is not None:
                more = dict(taken[seat])
            elif seat == step.seat and step.move.startswith("discard"):
                also = ", one of them for the discarded card"
            found += [(seat, f"collected {_pixels(more)}{also}")] if more else []
        elif began in _CONVERT and ended not in _CONVERT and seat != step.seat and (more or less):
            was, now = (scene.snapshot["seats"][seat]["points"] for scene in (step.before, step.after))
            into = [f"into {_pixels(more)}"] * bool(more) + [f"into {points_words(now - was)}"] * (now > was)
            what = f"turned {_pixels(less)} {' and '.join(into)}" if less and into else f"gained {_pixels(more)}"
            found.append((seat, f"{what if more or into else f'gave up {_pixels(less)}'} in Convert"))
    return found


def _draft_ends(step: Step) -> bool:
    return bool(step.before.snapshot["phase"] == "draft" and step.after.snapshot["phase"] != "draft")


def _left_over(step: Step) -> list[Event]:
    """The last card of a hand is no choice (P21); others show theirs when they play it."""
    seat = step.after.seat
    if not _draft_ends(step) or seat is None:
        return []
    before, after = (scene.snapshot["seats"][seat] for scene in (step.before, step.after))
    chosen = int(step.move.split()[1]) if step.seat == seat else before["choice"]
    known = Counter([*before["drafted"], before["hand"][chosen]])
    return [
        (seat, f"received {card_name(card)}, the last one of the hand")
        for card in Counter([*after["drafted"], *after["abilities"]]) - known
    ]


def _leading(step: Step) -> list[Event]:
    """Who leads which phases, once ability cards are turned up (P22 to P24)."""
    if not _draft_ends(step):
        return []
    leads: dict[int, list[str]] = {}
    for phase, seat in step.after.snapshot["leaders"].items():
        leads.setdefault(seat, []).append(phase.title())
    return [(seat, f"goes first in {listed_words(phases)}") for seat, phases in leads.items()]


def _without_a_line(step: Step) -> list[Event]:
    """Who had no turn in Score, because passing is no decision (P55)."""
    before, after = step.before.snapshot, step.after.snapshot
    scored, scores = before["phase"] == "score", after["phase"] == "score" and after["round"] == before["round"]
    if not scored and not scores and after["round"] == before["round"] and after["phase"] != "over":
        return []
    players, leader = step.before.players, before["leaders"]["score"]
    places = {(leader + place) % players: place for place in range(players)}
    first = places[before["seat"]] + 1 if scored else 0
    end = places[after["seat"]] if scores else players
    return [(seat, "had no line to fill") for seat, place in places.items() if first <= place < end]


def _changes(step: Step, seat: int) -> tuple[dict[str, int], dict[str, int]]:
    return difference(*(scene.snapshot["seats"][seat]["pixels"] for scene in (step.before, step.after)))


def _pixels(counts: Mapping[str, int]) -> str:
    words = [NAMES[color] if n == 1 else f"{n} {NAMES[color]}" for color, n in counts.items()]
    return listed_words(words) if words else ""

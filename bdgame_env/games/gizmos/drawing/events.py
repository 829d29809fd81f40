"""What happened in a turn of Gizmos, in the past tense, with the marbles drawn and the points gained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from typing import Any

from ....render.scene import Scene
from ....render.wording import Event, Step, difference, listed_words, points_words
from ..cards import ANY, COLOR, COLORS, POINTS
from .words import card_of, name

_TOGETHER = {"convert": "build", "pay": "build"}


def events(steps: Sequence[Step]) -> list[Event]:
    """See `Wording.events`."""
    found: list[Event] = []
    for verb, run in groupby((step for step in steps if step.move), _verb):
        together = list(run)
        seat = together[0].seat or 0
        told = _TELL[verb](together) if verb in _TELL else ""
        gained = _facts(together[-1].after, seat)["tokens"] - _facts(together[0].before, seat)["tokens"]
        told = ", ".join(filter(None, [told, f"gained {points_words(gained)}" if gained else ""]))
        if told:
            found.append((seat, told))
    return found


def _verb(step: Step) -> str:
    verb = step.move.split()[0]
    return _TOGETHER.get(verb, verb)


def _facts(scene: Any, seat: int) -> Any:
    return scene.snapshot["seats"][seat]


def _filed(steps: Sequence[Step]) -> str:
    return f"filed {listed_words(_card(step) for step in steps)}"


def _card(step: Step) -> str:
    _, card = card_of(step.before, step.move.split())
    return "a card" if card is None else f"the {name(card)}" + (" from Research" if "hand" in step.move else "")


def _built(steps: Sequence[Step]) -> str:
    """Each card with its price, which is paid in further steps."""
    told = []
    for step in steps:
        if not step.move.startswith("build"):
            continue
        later = steps[steps.index(step) :]
        last = next((one for one, after in pairwise(later) if after.move.startswith("build")), later[-1])
        if last.after.snapshot["payment"] is not None:
            told.append(f"started to build {_card(step)}")
            continue
        seat = step.seat or 0
        _, paid = difference(_facts(step.before, seat)["ring"], _facts(last.after, seat)["ring"])
        _, card = card_of(step.before, step.move.split())
        points = int(POINTS[card]) if card is not None else 0
        from_archive = " from the archive" if "archive" in step.move else ""
        worth = f": {points_words(points)}" if points else ""
        color = ANY if card is None else int(COLOR[card])
        helped = ", with converters" if color != ANY and {*paid} - {COLORS[color]} else ""
        told.append(f"built {_card(step)}{from_archive} for {_marbles(paid) if paid else 'free'}{helped}{worth}")
    return ", ".join(told)


def _drew(steps: Sequence[Step]) -> str:
    """The colors that chance brought."""
    seat = steps[0].seat or 0
    more, _ = difference(_facts(steps[0].before, seat)["ring"], _facts(steps[-1].after, seat)["ring"])
    return f"drew {_marbles(more)}"


def _picked(steps: Sequence[Step]) -> str:
    colors = [step.move.split()[1] for step in steps]
    return f"picked {_marbles({color: colors.count(color) for color in COLORS})}"


def _put_back(steps: Sequence[Step]) -> str:
    """Under the deck; the last card goes there by itself, with all that were put there."""
    before, after = (_in_decks(scene) for scene in (steps[0].before, steps[-1].after))
    count = max(len(steps), after - before)
    return f"put {count} card{'' if count == 1 else 's'} under the deck"


def _in_decks(scene: Scene) -> int:
    return sum(deck if isinstance(deck, int) else len(deck) for deck in scene.snapshot["decks"])


_TELL: dict[str, Callable[[Sequence[Step]], str]] = {
    "file": _filed,
    "build": _built,
    "pick": _picked,
    "draw": _drew,
    "research": lambda steps: f"researched level {steps[0].move.split()[1]}",
    "keep": lambda steps: "kept none of the cards",
    "under": _put_back,
    "end": lambda steps: "passed" if steps[0].before.snapshot["phase"] == "main" else "",
}


def _marbles(counts: dict[str, int]) -> str:
    return listed_words([f"{count} {color}" for color, count in counts.items() if count] or ["nothing"])

"""What happened in a turn of Bdgame, in the past tense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from ....render.wording import Event, Step, listed_words, points_words
from ..cards import COLORS, Deck
from ..device_steps import made_by
from .words import NAMES, cubes, order_name, part_form, part_name

_TOGETHER = {"place": "select", "split": "run", "hold": "run", "activate": "run"}


def events(steps: Sequence[Step]) -> list[Event]:
    """See `Wording.events`."""
    found: list[Event] = []
    for verb, run in groupby((step for step in steps if step.move), _verb):
        together = list(run)
        tell = _TELL.get(verb)
        told = tell(together) if tell else ""
        if told:
            found.append((together[0].seat or 0, told))
    return found


def _verb(step: Step) -> str:
    verb = step.move.partition(" ")[0]
    return _TOGETHER.get(verb, verb)


def _given(step: Step) -> str:
    return step.move.partition(" ")[2]


def _collected(steps: Sequence[Step]) -> str:
    return f"collected {cubes({'Y': sum(min(2, step.before.snapshot['bank']['Y']) for step in steps)})}"


def _accepted(steps: Sequence[Step]) -> str:
    names = [step.before.snapshot["orders_row"][int(_given(step))] for step in steps]
    return f"accepted {listed_words(f'the {order_name(steps[0].before.cards, name)}' for name in names)}"


def _paid(steps: Sequence[Step]) -> str:
    return f"paid {_colors(_given(step) for step in steps)}"


def _bought(steps: Sequence[Step]) -> str:
    kinds = []
    for step in steps:
        given = _given(step)
        kinds.append(step.before.snapshot["parts_row"][int(given)] if given.isdecimal() else given)
    return f"bought {_parts(steps, kinds)}"


def _built(steps: Sequence[Step]) -> str:
    kinds = [str(step.before.snapshot["selected"]) for step in steps if step.move.startswith("place")]
    if not kinds:
        return f"started to build {_parts(steps, [_given(steps[0])])}"
    return f"built {_parts(steps, kinds, part_form)}"


def _dismantled(steps: Sequence[Step]) -> str:
    kinds = []
    for step in steps:
        x, y = map(int, _given(step).split(","))
        workshop = step.before.snapshot["seats"][step.seat]["workshop"]
        kinds += [card["kind"] for card in workshop if (card["x"], card["y"]) == (x, y)]
    return f"dismantled {_parts(steps, kinds, part_form)}"


def _loaded(steps: Sequence[Step]) -> str:
    hoppers: dict[str, list[str]] = {}
    for step in steps:
        color, _, hopper = _given(step).partition("@")
        hoppers.setdefault(hopper, []).append(color)
    return f"loaded {listed_words(f'{_colors(colors)} onto hopper H{hopper}' for hopper, colors in hoppers.items())}"


def _returned(steps: Sequence[Step]) -> str:
    return f"returned {_colors(_given(step)[:1] for step in steps)} to the bank"


def _ran(steps: Sequence[Step]) -> str:
    """Each Device with what it made, also of the answers to its questions."""
    runs: list[tuple[str, dict[str, int], list[str]]] = []
    for step in steps:
        verb, _, given = step.move.partition(" ")
        if verb == "activate" or not runs:
            runs.append((f" H{given}" if verb == "activate" else "", dict.fromkeys(COLORS, 0), []))
        for color, count in made_by(step.before.snapshot, step.move, step.before.config).items():
            runs[-1][1][color] += count
        if verb == "hold" and given != "none":
            runs[-1][2].append(given)
    told = []
    for hopper, made, held in runs:
        kept = f", with {_colors(held)} held back" if held else ""
        with_what = hopper or " a Device"
        waits = hopper == runs[-1][0] and steps[-1].after.snapshot["pending"] and not any(made.values())
        told.append(f"activated{with_what}" if waits else f"made {cubes(made)} with{with_what}{kept}")
    return ", ".join(told)


def _fulfilled(steps: Sequence[Step]) -> str:
    told = []
    for step in steps:
        deck, name = step.before.cards, step.before.snapshot["seats"][step.seat]["orders"][int(_given(step))]
        number = deck.orders.index(name)
        told.append(f"fulfilled the order for {cubes(deck.needs[number])}: {points_words(int(deck.points[number]))}")
    return ", ".join(told)


def _sold(steps: Sequence[Step]) -> str:
    return f"sold {_parts(steps, [_given(step) for step in steps])}"


def _offered(steps: Sequence[Step]) -> str:
    return f"offered {_parts(steps, [_given(step) for step in steps])}"


def _skipped(steps: Sequence[Step]) -> str:
    position = steps[0].before.snapshot
    left = position["actions_left"] if (position["open"] or position["phase"]) == "act" else 0
    return f"skipped {left} action{'' if left == 1 else 's'}" if left else ""


_TELL: dict[str, Callable[[Sequence[Step]], str]] = {
    "collect": _collected,
    "clear": lambda steps: "cleared the special parts",
    "accept": _accepted,
    "pay": _paid,
    "buy": _bought,
    "select": _built,
    "remove": _dismantled,
    "load": _loaded,
    "discard": _returned,
    "run": _ran,
    "fulfil": _fulfilled,
    "sell": _sold,
    "offer": _offered,
    "seat": lambda steps: f"to {steps[0].before.called(int(_given(steps[0])))}",
    "want": lambda steps: f"for {_parts(steps, [_given(step) for step in steps])}",
    "agree": lambda steps: "agreed to the trade",
    "refuse": lambda steps: "refused the trade",
    "end": _skipped,
}


def _colors(letters: Iterable[str]) -> str:
    given = list(letters)
    return cubes({color: given.count(color) for color in NAMES})


def _parts(steps: Sequence[Step], kinds: Sequence[str], called: Callable[[Deck, str], str] = part_name) -> str:
    """Parts such as "the packer" or "2 packers and the hopper"."""
    counts = Counter(called(steps[0].before.cards, kind) for kind in kinds)
    return listed_words(f"the {name}" if n == 1 else f"{n} {_several(name)}" for name, n in counts.items())


def _several(name: str) -> str:
    """The plural of a part's name, such as "splitters (1 Blue into 2 Yellow & 2 Red)"."""
    first, _, rest = name.partition(" ")
    return f"{name}s" if rest in ("part", "pipe", "bend") else f"{first}s {rest}".rstrip()

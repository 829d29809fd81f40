"""Nicodemus in plain words: cards, moves, what is to be decided, where points come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

from ....engine.game import GameConfig
from ....render.scene import Scene
from ....render.wording import choices, listed_words, phase_of, points_words, round_words
from ..cards import COLOR, COLORS, COST, KINDS, NUM_PROJECTS, POINTS, PROJECT_POINTS, RESOURCES, SYMBOL, SYMBOLS
from ..state import ROW_SPACES, SPACES, WINNING_POINTS
from .cards import needs

_COUNTED = {"B1": "wood", "B2": "charcoalium", "B3": "copper", "B4": "crystal", "B5": "wild"}
_DISCARDS = ("P2", "P3", "P5")  # their effects: a machine of the row (N10.2, N10.3, N10.5)
MOST_KEPT = 3  # machines of a workshop, between turns (N8.1)
EFFECTS = {
    "B1": "gain 1 wood for each machine with the wood symbol in the bric-a-brac",
    "B2": "gain 1 charcoalium for each machine with the charcoalium symbol in the bric-a-brac",
    "B3": "gain 1 copper for each machine with the copper symbol in the bric-a-brac",
    "B4": "gain 1 crystal for each machine with the crystal symbol in the bric-a-brac",
    "B5": "choose a resource and gain 1 of it for each machine with the wild symbol in the bric-a-brac",
    "P1": "discard a machine from your hand and gain 2 resources from its cost",
    "P2": "discard one of the 3 machines before it and gain 1 resource from its cost",
    "P3": "discard one of the 2 machines before it and gain 1 charcoalium and 1 resource from its cost",
    "P4": "exchange 1 charcoalium for 1 resource or vice versa, up to three times",
    "P5": "discard the machine before it and gain 2 resources from its cost",
    "R1": "steal 1 charcoalium, and a random machine from your opponent's hand",
    "R2": "steal 1 resource, and a random machine from your opponent's hand",
    "R3": "your opponent discards down to 2 machines in hand and returns 2 charcoalium",
    "R4": "your opponent returns 2 resources of your choice",
    "Y1": "draw 2 projects and reserve one of them",
    "Y2": "copy the effect of a machine before it in the bric-a-brac",
}


def cost(kind: int) -> str:
    """What a repair costs, such as "2 wood and 1 crystal"."""
    return " and ".join(f"{int(n)} {name}" for name, n in zip(RESOURCES, COST[kind], strict=True) if n) or "nothing"


def machine(name: str) -> str:
    """A machine by its kind, color and symbol."""
    kind = KINDS.index(name)
    return f"{name} ({COLORS[COLOR[kind]]}, {SYMBOLS[SYMBOL[kind]]})"


def project(number: int) -> str:
    """A project by what it asks for and what it brings."""
    asked = listed_words(_trait(count, trait) for count, trait in needs(number))
    return f"project for {asked} ({points_words(int(PROJECT_POINTS[number]))})"


def _trait(count: int, trait: str) -> str:
    if trait == "twins":
        return "2 identical machines"
    if trait.startswith("value-"):
        return f"{count} machines worth {trait[-1]}"
    return f"{count} {trait}"


def cards(config: GameConfig) -> dict[str, str]:
    """Every machine and every project, explained."""
    found = {}
    for kind, name in enumerate(KINDS):
        points = int(POINTS[kind])
        found[name] = (
            f"Machine {machine(name)}. Play it for {points} charcoalium, to produce {_symbol(kind)}, or for its "
            f"effect: {EFFECTS[name]}. Repair costs {cost(kind)}; {points_words(points)}."
        )
    for number in range(NUM_PROJECTS):
        found[str(number)] = (
            f"P{project(number)[1:]}: complete it after a repair, with repaired machines that match, "
            "including the newest."
        )
    return found


def _symbol(kind: int) -> str:
    name = SYMBOLS[SYMBOL[kind]]
    return "1 resource of your choice" if name == "wild" else f"1 {name}"


def stage(scene: Scene) -> str:
    """The round, and what ends the game (N15.1)."""
    ends = "the last one" if scene.snapshot["ending"] else f"game ends at {WINNING_POINTS} points"
    return f"{round_words(scene)}, {ends}"


def price_words(position: Mapping[str, Any], seat: int, space: int) -> str:
    """What repairing the machine on a space costs a seat now: resources, less its symbols, and the fee (N6)."""
    row = position["bric_a_brac"]
    kind = KINDS.index(row[space - 1]["kind"])
    symbols = [SYMBOLS[SYMBOL[KINDS.index(each)]] for each in position["seats"][seat]["workshop"]]
    need = {name: int(n) - symbols.count(name) for name, n in zip(RESOURCES, COST[kind], strict=True)}
    due = fee(position, seat, space)
    paid = _payments({name: n for name, n in need.items() if n > 0}, symbols.count("wild"), position["seats"][seat])
    price = {**(paid[0] if len(paid) == 1 else need), "charcoalium": due}
    told = [f"{n} {name}" for name, n in price.items() if n > 0]
    saved = min(symbols.count("wild"), sum(n for n in need.values() if n > 0))
    return listed_words(told or ["nothing"]) + (f", less {saved} of your choice" if len(paid) != 1 and saved else "")


def _payments(need: Mapping[str, int], wild: int, mine: Mapping[str, Any]) -> list[dict[str, int]]:
    """All that a need may come to, once wild symbols have saved as much as they can (N6.4)."""
    left = max(0, sum(need.values()) - wild)
    ways = product(*(range(min(n, mine["tokens"][name]) + 1) for name, n in need.items()))
    return [dict(zip(need, way, strict=True)) for way in ways if sum(way) == left]


def fee(position: Mapping[str, Any], seat: int, space: int) -> int:
    """The charcoalium that repairing the machine on a space costs a seat now (N6.5)."""
    workshop = position["seats"][seat]["workshop"]
    symbols = [SYMBOLS[SYMBOL[KINDS.index(each)]] for each in workshop]
    return max(0, len(position["bric_a_brac"]) - space - symbols.count("charcoalium"))


_PLAYS = ("turn", "wild", "pick", "hand", "target", "exchange", "keep")
_PARTS = {"Play or repair": _PLAYS, "Projects": ("projects", "partner")}


def phases(scene: Scene) -> tuple[Sequence[str], int]:
    """The parts of a turn, and which it is."""
    return phase_of(scene, _PARTS)


_PLAYING = dict.fromkeys(("charcoalium", "produce", "effect"), "play a machine from your hand")
_TURN = {**_PLAYING, "repair": "repair a machine", "pass": "pass"}


_TWICE = ("P1", "P5", "R4")  # with which two resources are chosen


def turn(scene: Scene) -> str:
    """What has to be decided."""
    position = scene.snapshot
    left = position["left"]
    effect = position["effect"]
    last = " (the last one)" if left == 1 and effect in _TWICE else ""
    more = f" ({left} left)" if left and left > 1 else last
    pick = {"R2": "Which resource do you steal?", "R4": f"Which resource must your opponent return?{more}"}
    return {
        "turn": choices(scene, _TURN).capitalize(),
        "wild": f"Which resource does your wild symbol replace?{more}",
        "pick": pick.get(effect, f"Which resource do you gain?{more}"),
        "hand": "Discard a machine from your hand, and gain 2 resources from its cost",
        "target": _targets(position),
        "exchange": f"Exchange tokens{more}, or stop",
        "keep": "Reserve one of these projects",
        "projects": "Complete a project, or stop",
        "partner": "Choose a machine for the project",
    }.get(position["phase"], "")


def _targets(position: Mapping[str, Any]) -> str:
    if copies(position):
        return "Which machine's effect do you copy?"
    gain = {"P3": "1 charcoalium and 1 resource", "P5": "2 resources"}.get(position["effect"], "1 resource")
    return f"Which machine do you discard? You gain {gain} from its cost"


def move(scene: Scene, notation: str) -> str:
    """A move in words."""
    verb, _, rest = notation.partition(" ")
    position = scene.snapshot
    if verb in ("charcoalium", "produce", "effect"):
        kind = KINDS.index(rest)
        how = {
            "charcoalium": f"for its value: {int(POINTS[kind])} charcoalium",
            "produce": f"to produce {_symbol(kind)}",
            "effect": f"for its effect: {EFFECTS[rest]}{_produces(position, rest)}",
        }
        return f"Play {machine(rest)} {how[verb]}"
    if verb in ("repair", "target"):
        return _in_the_row(position, verb, int(rest))
    if verb == "wild":
        return f"Use a wild symbol instead of 1 {rest}"
    if verb == "pick":
        verb = {"R2": "Steal", "R4": "Make your opponent return"}.get(position["effect"] or "", "Gain")
        return f"{verb} {_picked(position, rest)}"
    if verb == "discard":
        return f"Discard {machine(rest)} from hand" if rest else "Discard a machine from hand"
    if verb == "exchange":
        give, _, gain = rest.partition("-")
        short = " from your opponent, as the reserve has none" if position["reserve"][gain] == 0 else ""
        return f"Give 1 {give} for 1 {gain}{short}"
    if verb in ("keep", "complete"):
        return f"{'Reserve' if verb == 'keep' else 'Complete'} the {project(int(rest))}"
    if verb == "partner":
        workshop = position["seats"][position["seat"]]["workshop"]
        place = int(rest)
        return f"Use {machine(workshop[place - 1])} for the project" if place <= len(workshop) else notation
    if verb == "done":
        return "Stop exchanging" if position["phase"] == "exchange" else "No more projects"
    return "Pass and draw" if verb == "pass" else notation


def _produces(position: Mapping[str, Any], name: str) -> str:
    """What a blue machine brings now: it counts itself, too (N9), and nobody gains more than there is (N14.1)."""
    if name not in _COUNTED:
        return ""
    symbol = _COUNTED[name]
    found = _symbols_in_row(position, symbol) + (SYMBOLS[SYMBOL[KINDS.index(name)]] == symbol)
    most = max(_to_gain(position, token) for token in (RESOURCES if symbol == "wild" else [symbol]))
    return f" ({min(found, most)} now)"


def _symbols_in_row(position: Mapping[str, Any], symbol: str) -> int:
    """The machines of the bric-a-brac with a symbol."""
    return sum(SYMBOLS[SYMBOL[KINDS.index(there["kind"])]] == symbol for there in position["bric_a_brac"])


def _to_gain(position: Mapping[str, Any], token: str) -> int:
    """All that can be gained of a token: from the reserve, then from the other player (N14.1)."""
    return int(position["reserve"][token] + position["seats"][1 - position["seat"]]["tokens"][token])


def _picked(position: Mapping[str, Any], resource: str) -> str:
    """What a pick comes to, with those that follow from it: picks rise in the order of resources (N20.4, N20.5)."""
    if position["effect"] == "B5":
        return f"{min(_symbols_in_row(position, 'wild'), _to_gain(position, resource))} {resource}"
    if position["discarded"] is not None:
        there = dict(zip(RESOURCES, map(int, COST[KINDS.index(position["discarded"])]), strict=True))
    else:
        there = position["seats"][1 - position["seat"]]["tokens"]
    others = RESOURCES[RESOURCES.index(resource) :]
    more = (position["left"] or 1) - 1
    chains = [Counter([resource, *rest]) for rest in combinations_with_replacement(others, more)]
    ways = [chain for chain in chains if not more or all(n <= there[name] for name, n in chain.items())]
    if len(ways) > 1 or (position["effect"] == "P1" and position["left"] > 1):  # P1 asks even then (N20.8)
        return f"{min(1, _to_gain(position, resource))} {resource}, then choose another resource"
    return listed_words(f"{min(count, _to_gain(position, name))} {name}" for name, count in ways[0].items())


def forgoes(scene: Scene, notation: str) -> str:
    """What a turn takes away besides: projects of lower numbers (N20.7), machines of a full workshop or row."""
    position, verb = scene.snapshot, notation.split()[0]
    workshop = position["seats"][position["seat"]]["workshop"]
    if verb in ("charcoalium", "produce", "effect") and len(position["bric_a_brac"]) == SPACES - 1:
        return _fills_the_row(position, notation)
    if verb == "done" and len(workshop) > MOST_KEPT and not position["used"]:
        return f"Your workshop is full: {listed_words(workshop[:-1])} leave it"
    if verb != "complete":
        return ""
    numbers = [int(move.split()[1]) for move in scene.legal if move.startswith("complete ")]
    lower = [project(number) for number in numbers if number < int(notation.split()[1])]
    return f"After this, you cannot complete the {listed_words(lower, 'or the')}" if lower else ""


def _fills_the_row(position: Mapping[str, Any], notation: str) -> str:
    """What a play on the last space clears (N13.4), unless its effect, own or copied, discards a machine of the row."""
    effect = notation.removeprefix("effect ")
    if effect in _DISCARDS:
        return ""
    copied = effect == "Y2" and any(there["kind"] in _DISCARDS for there in position["bric_a_brac"])
    unless = ", unless the copied effect discards one" if copied else ""
    return f"It fills the last space: the machines on spaces 1 to {ROW_SPACES} leave the game after your turn{unless}"


def _in_the_row(position: Mapping[str, Any], verb: str, space: int) -> str:
    row = position["bric_a_brac"]
    if space > len(row):
        return f"{verb.capitalize()} the machine on space {space}"
    name = row[space - 1]["kind"]
    if verb == "repair":
        coal = row[space - 1]["charcoalium"]
        found = f", with {coal} charcoalium on it" if coal else ""
        points = points_words(int(POINTS[KINDS.index(name)]))
        price = price_words(position, position["seat"], space)
        others = position["seats"][position["seat"]]["workshop"]
        leave = f"; {listed_words(others)} then leave, unless projects use them" if len(others) == MOST_KEPT else ""
        return f"Repair {machine(name)} on space {space} for {price}{found}: {points}{leave}"
    return f"{'Copy' if copies(position) else 'Discard'} {machine(name)} on space {space}"


def copies(position: Mapping[str, Any]) -> bool:
    """Whether the machine that is chosen in the row is copied, and not discarded."""
    return position["effect"] == "Y2" or (position["played"] == "Y2" and position["effect"] is None)


def sources(scene: Scene, seat: int, gains: Mapping[str, int]) -> dict[str, int]:
    """Repaired machines and completed projects."""
    facts = scene.snapshot["seats"][seat]
    projects = sum(int(PROJECT_POINTS[number]) for number in facts["completed"])
    found = {"repaired machines": int(facts["points"]) - projects, "completed projects": projects}
    return {label: points for label, points in found.items() if points}

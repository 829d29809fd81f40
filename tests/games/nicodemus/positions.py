"""Build a position of Nicodemus for a test: say what matters, the rest follows from what is in the box.

    t = position(row="B2 P4:1", hand="P2 B1", tokens="2 charcoalium")
    t.play("effect P2")
    assert t.tokens["wood"] == 2

Machines are their kinds, with `:2` for charcoalium on them. Machines that a test does not place lie in the deck in
order of kind, what is too much for it has left the game; projects it does not place are in the project deck in order
of number, what is too much for it has been completed by the other seat. Tokens it does not place are in the reserve.
Latest turns (N16.7) were passes.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.position import MatchPosition, reference_plays

KINDS = ("B1", "B2", "B3", "B4", "B5", "P1", "P2", "P3", "P4", "P5", "R1", "R2", "R3", "R4", "Y1", "Y2")
COPIES = {kind: 2 if kind[0] == "R" else 4 for kind in KINDS}
TOKENS = ("charcoalium", "wood", "copper", "crystal")
SUPPLY = dict(zip(TOKENS, (12, 8, 8, 8), strict=True))
DECK, PROJECT_DECK, BOARD = 45, 11, 6
PASSED = {"use": "pass", "kind": None, "effect": None}


def tokens(text: str = "") -> dict[str, int]:
    """`"2 wood 1 crystal"` -> {"charcoalium": 0, "wood": 2, "copper": 0, "crystal": 1}."""
    words = text.split()
    found = dict.fromkeys(TOKENS, 0)
    for number, name in zip(words[::2], words[1::2], strict=True):
        found[name] += int(number)
    return found


def counted(text: str) -> dict[str, int]:
    """`"B1 B1 P2"` -> {"B1": 2, "P2": 1}."""
    return dict(Counter(text.split()))


def row_of(text: str) -> list[dict[str, Any]]:
    """`"B1 P2:1"` as a snapshot writes it."""
    parts = [word.partition(":") for word in text.split()]
    return [{"kind": kind, "charcoalium": int(coal or 0)} for kind, _, coal in parts]


class Position(MatchPosition):
    """A position of this game under test."""

    def __init__(self, match: Any) -> None:
        super().__init__(match)
        self.gone_before = Counter(self.snap["removed"])

    def family(self, *verbs: str) -> set[str]:
        """What the legal moves name that begin with these verbs."""
        return {move.partition(" ")[2] for move in self.legal if move.partition(" ")[0] in verbs}

    def copy(self) -> Position:
        """The same position once more, to try another line."""
        other = restore(self.snap)
        other.mover = self.mover
        other.gone_before = self.gone_before
        return other

    def told(self, seat: int) -> dict[str, Any]:
        """The snapshot with what that seat sees."""
        return self.match.snapshot(seat=seat)

    @property
    def points(self) -> list[int]:
        return [int(points) for points in self.match.points()]

    @property
    def other(self) -> dict[str, Any]:
        return self.snap["seats"][1 - self.mover]

    @property
    def tokens(self) -> dict[str, int]:
        return self.me["tokens"]

    @property
    def held(self) -> int:
        """Machines in the hand of that seat."""
        return sum(self.me["hand"].values())

    @property
    def gone(self) -> dict[str, int]:
        """Machines that left the game in sight of both since the position was built."""
        return dict(Counter(self.snap["removed"]) - self.gone_before)

    @property
    def row(self) -> str:
        """The bric-a-brac as `position` takes it."""
        found = self.snap["bric_a_brac"]
        return " ".join(m["kind"] + (f":{m['charcoalium']}" if m["charcoalium"] else "") for m in found)


def new_game(seed: int = 0, **options: Any) -> Position:
    """A game from its first decision. The seed deals other cards to the reference than to the engine."""
    if reference_plays():
        from tests.support.reference.nicodemus import Reference

        return Position(Reference.new(random.Random(seed).getrandbits(64), **options))
    import bdgame_env

    return Position(bdgame_env.make_match("nicodemus-v2", seed=seed, **options))


def restore(data: Mapping[str, Any]) -> Position:
    """The position of an omniscient snapshot, which is copied."""
    if reference_plays():
        from tests.support.reference.nicodemus import Reference

        return Position(Reference.from_snapshot(copy.deepcopy(dict(data))))
    import bdgame_env

    return Position(bdgame_env.match_from_snapshot(copy.deepcopy(dict(data))))


def assert_pieces(snap: Mapping[str, Any]) -> None:
    """N24.1, N24.2: nothing is lost or made."""
    for name, number in SUPPLY.items():
        held = [snap["reserve"][name], *(seat["tokens"][name] for seat in snap["seats"])]
        on_machines = sum(machine["charcoalium"] for machine in snap["bric_a_brac"]) if name == "charcoalium" else 0
        assert min(held) >= 0 and sum(held) + on_machines == number
    machines = Counter(snap["deck"]) + Counter(machine["kind"] for machine in snap["bric_a_brac"])
    machines += Counter(snap["removed"])
    projects = [*snap["project_deck"], *snap["offer"], *(q for q in snap["projects"] if q is not None)]
    for seat in snap["seats"]:
        machines += Counter(seat["hand"]) + Counter(seat["lost"]) + Counter(seat["workshop"])
        projects += [*seat["reserved"], *seat["completed"], *seat["rejected"]]
    assert machines == COPIES and sorted(projects) == list(range(17))


_CARDS = dict.fromkeys(("hand", "workshop", "lost", "known", "doubtful"), "")
_SEAT: dict[str, Any] = {**_CARDS, "tokens": "", "points": 0, "reserved": (), "rejected": ()}


def position(
    *,
    row: str = "",
    seat: int = 0,
    round: int = 2,
    other: Mapping[str, Any] | None = None,
    board: Sequence[int | None] = (),
    top: str = "",
    deck: int = DECK,
    project_top: Sequence[int] = (),
    project_deck: int | None = None,
    ending: bool = False,
    rng: int = 1,
    max_rounds: int = 100,
    end_by_deck: str = "lack",
    **mine: Any,
) -> Position:
    """A match at the beginning of a turn.

    hand, workshop, tokens, points, reserved, rejected and lost are the mover's, known and doubtful what it knows of the
    other hand (N16.6); other: the same things of the other seat. row: the bric-a-brac. board: face-up projects. top:
    the top machines of the deck; deck: how many cards it has at most. project_top and project_deck: the same for
    projects; unless said, as many are left as Y1 has not drawn.
    """
    unknown = (set(mine) | set(other or {})) - set(_SEAT)
    assert not unknown, f"a seat has no {sorted(unknown)}"
    specs = [{**_SEAT, **mine}, {**_SEAT, **(other or {})}]
    machines = row_of(row)
    words = " ".join([top, *(spec[name] for spec in specs for name in ("hand", "workshop", "lost"))]).split()
    left = Counter(COPIES)
    left.subtract(words + [machine["kind"] for machine in machines])
    assert min(left.values()) >= 0, "a machine is placed more often than there are copies"
    rest = [kind for kind in KINDS for _ in range(left[kind])]
    room = deck - len(top.split())
    face_up = [*board, *[None] * (BOARD - len(board))]
    placed = [*face_up, *project_top, *(q for spec in specs for name in ("reserved", "rejected") for q in spec[name])]
    projects = [project for project in range(17) if project not in placed]
    uses = max(sum(len(spec[name]) for spec in specs) for name in ("reserved", "rejected"))
    place = max(0, PROJECT_DECK - 2 * uses if project_deck is None else project_deck) - len(project_top)
    reserve = dict(SUPPLY)
    for name in TOKENS:
        reserve[name] -= sum(tokens(spec["tokens"])[name] for spec in specs)
    reserve["charcoalium"] -= sum(machine["charcoalium"] for machine in machines)
    ordered = specs if seat == 0 else specs[::-1]
    seats = [_seat(spec, projects[place:] if number == 1 else []) for number, spec in enumerate(specs)]
    return restore(
        {
            "game": "nicodemus",
            "players": 2,
            "options": {"max_rounds": max_rounds, "end_by_deck": end_by_deck},
            "round": round,
            "seat": seat,
            "phase": "turn",
            "ending": ending,
            "truncated": False,
            "rng": str(rng),
            "reserve": reserve,
            "bric_a_brac": machines,
            "deck": [*top.split(), *rest[:room]],
            "projects": face_up,
            "project_deck": [*project_top, *projects[:place]],
            "removed": dict(Counter(rest[room:])),
            "played": None,
            "effect": None,
            "discarded": None,
            "left": 0,
            "previous": None,
            "repair": None,
            "offer": [],
            "project": None,
            "latest": None,
            "partners": [],
            "used": [],
            "seats": [
                {
                    **each,
                    "known": counted(spec["known"]),
                    "doubtful": counted(spec["doubtful"]),
                    "last": None if round == 1 and number >= seat else dict(PASSED),
                }
                for number, (each, spec) in enumerate(zip(seats if seat == 0 else seats[::-1], ordered, strict=True))
            ],
        }
    )


def _seat(spec: Mapping[str, Any], completed: Sequence[int]) -> dict[str, Any]:
    return {
        "points": spec["points"],
        "tokens": tokens(spec["tokens"]),
        "hand": counted(spec["hand"]),
        "workshop": spec["workshop"].split(),
        "reserved": sorted(spec["reserved"]),
        "completed": list(completed),
        "rejected": sorted(spec["rejected"]),
        "lost": counted(spec["lost"]),
    }


def rich_position(seed: int, **options: Any) -> Position:
    """A position drawn at random from the middle of a game: full workshops, many tokens, reserved projects."""
    chance = random.Random(seed)
    heap = [kind for kind in KINDS for _ in range(COPIES[kind])]
    chance.shuffle(heap)

    def some(number: int) -> str:
        return " ".join(heap.pop() for _ in range(number))

    projects = chance.sample(range(17), 17)
    specs = []
    for _ in range(2):
        held = {name: chance.randint(0, 3) for name in TOKENS}
        specs.append(
            {
                "hand": some(chance.choice((0, 1, 2, 4, 5, 5, 5))),
                "workshop": some(chance.randint(0, 3)),
                "lost": some(chance.randint(0, 2)),
                "tokens": " ".join(f"{number} {name}" for name, number in held.items()),
                "points": chance.randint(0, 19),
                "reserved": [projects.pop() for _ in range(chance.randint(0, 2))],
                "rejected": [projects.pop() for _ in range(chance.randint(0, 1))],
            }
        )
    row = some(chance.randint(0, 9)).split()
    coal = [chance.random() < 0.25 for _ in row]
    spare = 12 - sum(tokens(spec["tokens"])["charcoalium"] for spec in specs)
    for place, kind in enumerate(row):
        if coal[place] and spare:
            spare -= 1
            row[place] = f"{kind}:1"
    board = [projects.pop() if chance.random() < 0.8 else None for _ in range(BOARD)]
    uses = max(sum(len(spec[name]) for spec in specs) for name in ("reserved", "rejected"))
    number = min(chance.choice((0, 1, 3, 11)), 11 - 2 * uses)
    deck = min(chance.choice((0, 3, 8, 20, DECK)), len(heap), DECK)
    return position(
        row=" ".join(row),
        seat=chance.randint(0, 1),
        board=board,
        top=" ".join(heap[:deck]),
        deck=deck,
        project_top=chance.sample(projects, min(len(projects), number)),
        project_deck=number,
        other=specs[1],
        rng=seed,
        **specs[0],
        **options,
    )

"""What machines of a deck could make at best: by hand, and against every way to run a machine of whole cubes."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bdgame_env.games.bdgame.cards import COLORS, NUM_BASIC, VALUE
from bdgame_env.games.bdgame.decks import decks_of
from bdgame_env.games.bdgame.machines import NO_PART, best_machines, multiplications
from bdgame_env.games.bdgame.random_decks import keeps_principles

# Splitters and joiners that multiply: the special parts of a deck that was found to be good to play with.
BRANCHING = [
    *("c_2Y_1R", "c_2Y_1B", "c_2R_1B", "c_1R_3Y", "c_1B_3R", "c_1Y_2Y", "c_3R_2B", "c_1Y_1R"),
    *("s_2Y_2Y2R", "s_1R_2R2Y", "s_1B_2Y2R", "s_1B_2B1R", "s_2R_2R1B", "s_4Y_2B2R"),
    *("j_2Y2R_4B", "j_1Y1R_2B", "j_1Y1Y_1Y2R", "j_1R1R_1Y2B", "j_1Y1B_2R3B", "j_1Y1R_4R"),
]


def cubes(words: str) -> list[int]:
    """The cubes of one side of a recipe, by color."""
    pairs = [(int(words[at]), words[at + 1]) for at in range(0, len(words), 2)]
    return [sum(count for count, color in pairs if color == each) for each in COLORS]


def recipes(*kinds: str) -> tuple[np.ndarray, np.ndarray]:
    sides = [kind.split("_")[1:] for kind in kinds]
    return np.array([cubes(takes) for takes, _ in sides]), np.array([cubes(gives) for _, gives in sides])


def test_one_part() -> None:
    takes, gives = recipes("c_2Y_1R", "s_1B_2Y2R", "j_1Y1R_2B")
    assert multiplications(takes, gives).tolist() == [1.0, 1.5, 8 / 3]
    worth, machines = best_machines(takes, gives, 1)
    assert worth.tolist() == [[1.0, 1.0, 1.5]] and machines[0, 2, 0] == 1


def test_a_splitter_and_a_joiner_multiply_by_8() -> None:
    """Two Yellow become 2 Yellow and 2 Red, which become 4 Blue."""
    worth, machines = best_machines(*recipes(*BRANCHING), 2)
    assert worth[:, 0].tolist() == [3.0, 8.0]
    assert [BRANCHING[part] for part in machines[1, 0]] == ["s_2Y_2Y2R", "j_2Y2R_4B"]
    assert machines[0, 0].tolist() == [BRANCHING.index("s_2Y_2Y2R"), NO_PART]


def test_part_of_the_cubes_goes_past_a_part() -> None:
    """Half of the Yellow becomes Red, and joins the other half."""
    worth, machines = best_machines(*recipes("c_1Y_1R", "j_1Y1R_2B"), 2)
    assert worth[:, 0].tolist() == [2.0, 4.0] and machines[1, 0].tolist() == [0, 1]


@pytest.mark.parametrize("seed", range(6))
def test_no_way_to_run_a_machine_makes_more(seed: int) -> None:
    """Against all numbers of workings of each part of each machine, fed with 24 cubes of a color."""
    chance = np.random.default_rng(seed)
    kinds = chance.choice(BRANCHING, 4, replace=False)
    takes, gives = recipes(*kinds)
    worth, machines = best_machines(takes, gives, 3)
    amount = 24

    @cache
    def most(held: tuple[int, ...], parts: tuple[int, ...]) -> int:
        if not parts:
            return sum(count * value for count, value in zip(held, VALUE, strict=True))
        take, give = takes[parts[0]], gives[parts[0]]
        workings = min(count // int(need) for count, need in zip(held, take, strict=True) if need)
        after = [tuple((np.array(held) + number * (give - take)).tolist()) for number in range(workings + 1)]
        return max(most(each, parts[1:]) for each in after)

    for color, value in enumerate(VALUE):
        fed = tuple(amount * (each == color) for each in range(3))
        for n in (1, 2):
            best = max(most(fed, parts) for parts in product(range(4), repeat=n)) / (amount * value)
            assert worth[n - 1, color] >= best - 1e-9
            assert worth[n - 1, color] <= best * 1.15 + 1e-9, "no more than rounding"
            machine = tuple(part for part in machines[n - 1, color].tolist() if part != NO_PART)
            assert most(fed, machine) / (amount * value) >= worth[n - 1, color] / 1.15 - 1e-9


def test_many_decks_at_once() -> None:
    one, other = recipes(*BRANCHING), recipes(*BRANCHING[::-1])
    worth, machines = best_machines(np.stack([one[0], other[0]]), np.stack([one[1], other[1]]), 2)
    assert np.array_equal(worth[0], worth[1]) and np.array_equal(worth[0], best_machines(*one, 2)[0])
    assert np.array_equal(machines[0], best_machines(*one, 2)[1])
    assert np.array_equal(best_machines(*one, 2, [0])[0], worth[0][:, :1])


def test_the_branching_deck_is_read_and_judged(tmp_path: Path) -> None:
    """Its converter of Yellow multiplies by 2, and its engine of two parts by 8: principles refuse the converter."""
    (classic,) = decks_of("classic")[1]
    file = tmp_path / "deck.toml"
    lines = ["[bank]", "Y = 24", "R = 24", "B = 24"]
    for number in range(NUM_BASIC):
        lines += ["[[basic]]", f'kind = "{classic.kinds[number]}"', "cost = 1"]
    ports = {"c": (["mid"], ["mid"]), "s": (["mid"], ["up", "down"]), "j": (["up", "down"], ["mid"])}
    for kind in BRANCHING:
        letter, *sides = kind.split("_")
        lines += ["[[special]]", f'kind = "{kind}"', "cost = 2"]
        for side, names, text in zip(("in", "out"), ports[letter], sides, strict=True):
            words = [text[at : at + 2] for at in range(0, len(text), 2)]
            each = [" ".join(words)] if len(names) == 1 else words
            lines += [f'{side}.{name} = "{cube}"' for name, cube in zip(names, each, strict=True)]
    lines.append("[orders]")
    lines += [f'o{order:02} = {{ needs = "{order % 8 + 1}Y", points = 2 }}' for order in range(1, 33)]
    file.write_text("\n".join(lines), "utf-8")
    (deck,) = decks_of(file)[1]
    takes, gives = deck.takes[NUM_BASIC:].sum(axis=1), deck.gives[NUM_BASIC:].sum(axis=1)
    assert best_machines(takes, gives, 2)[0][1, 0] == 8.0
    assert keeps_principles([deck]) == [False]

"""Repairing a machine and paying for it (N6, N21)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.games.nicodemus.cards import CARDS, COST, KINDS, RESOURCES
from bdgame_env.games.nicodemus.repairing import begin_repair, legal_repairs, spend_wild, wild_choices
from bdgame_env.games.nicodemus.state import WILD, State
from tests.games.nicodemus.positions import position, tokens
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def test_n06_01_resources_and_fee_must_both_be_paid():
    """N6.1: any machine of the row."""
    t = position(row="P1 P1 P1", tokens="1 wood 1 copper 1 charcoalium")
    assert t.family("repair") == {"2", "3"}
    t = position(row="P1 Y2 P1", tokens="1 wood 2 copper 5 charcoalium")
    assert t.family("repair") == {"1", "3"}


@pytest.mark.parametrize("kind", KINDS)
def test_n06_01_the_printed_cost(kind: str):
    """N6.1, N6.10, N1.2: exactly that, and one resource less is too little."""
    amounts = dict(zip(RESOURCES, COST[KINDS.index(kind)].tolist(), strict=True))
    exact = {name: number for name, number in amounts.items() if number}
    for name in exact:
        short = {**exact, name: exact[name] - 1}
        position(row=kind, tokens=spelled(short)).refuses("repair 1")
    t = position(row=kind, tokens=spelled(exact)).play("repair 1")
    assert t.tokens == tokens() and t.me["workshop"] == [kind] and t.me["points"] == CARDS.points[KINDS.index(kind)]


def spelled(amounts: dict[str, int]) -> str:
    return " ".join(f"{number} {name}" for name, number in amounts.items())


def test_n06_02_only_machines_repaired_before_reduce():
    """N6.2: P4 shows wood and costs 2 wood: its own symbol is no help. The other's workshop is none either."""
    row = {"row": "P4", "tokens": "1 wood 1 crystal"}
    assert position(**row, reserved=[13], other={"workshop": "B1"}).legal == {"pass"}
    assert position(**row, workshop="B1").legal == {"repair 1"}
    row = {"row": "P1 B1", "tokens": "1 wood 1 copper"}
    position(**row, other={"workshop": "B2"}).refuses("repair 1")  # nor is it for the fee
    assert "repair 1" in position(**row, workshop="B2").legal


def test_n06_03_reductions_by_symbol():
    """N6.3: one off for each machine with the symbol; what is too much is lost."""
    t = position(row="Y2", workshop="B3 P3 B4", tokens="1 copper").play("repair 1")
    assert t.me["points"] == 3 and t.tokens == tokens()
    t = position(row="P1", workshop="B3 P3 R2", tokens="1 wood 1 copper").play("repair 1")
    assert t.tokens == tokens("1 copper")


def test_n06_04_wild_reductions_are_chosen():
    """N6.4: as many as there are wild symbols and need; not fewer."""
    t = position(row="R2", workshop="B5", tokens="1 wood 1 copper 1 crystal").play("repair 1")
    assert t.phase == "wild" and t.legal == {"wild wood", "wild copper", "wild crystal"} and t.snap["left"] == 1
    t.play("wild copper")
    assert t.tokens == tokens("1 copper")
    t = position(row="P1", workshop="B5 P1 P1", tokens="1 wood 1 copper").play("repair 1")
    assert t.seat == 1 and t.tokens == tokens("1 wood 1 copper")


def test_n06_04_a_choice_that_could_not_be_paid_is_closed():
    """N6.4: here the wild symbol must stand for crystal; there is no question."""
    t = position(row="R2", workshop="B5", tokens="1 wood 1 copper").play("repair 1")
    assert t.seat == 1 and t.tokens == tokens()


def test_n06_04_wild_does_not_lower_the_fee():
    """N6.4."""
    position(row="P1 B1 B1", workshop="B5 B5 B5", tokens="1 wood 1 copper 1 charcoalium").refuses("repair 1")


def test_n06_05_the_fee():
    """N6.5: one for each machine after it, less the charcoalium symbols; none for the last one."""
    for held, legal in ((0, {"4"}), (1, {"3", "4"}), (3, {"1", "2", "3", "4"})):
        assert position(row="P1 P1 P1 P1", tokens=f"1 wood 1 copper {held} charcoalium").family("repair") == legal
    t = position(row="P1 P1 P1 P1", workshop="B2 P5", tokens="1 wood 1 copper 1 charcoalium")
    assert t.family("repair") == {"1", "2", "3", "4"}
    t.play("repair 2")
    assert t.tokens == tokens("1 charcoalium") and t.row == "P1 P1 P1"


def test_n06_06_legal_with_enough_wild_symbols_for_what_is_missing():
    """N6.6."""
    t = position(row="Y2", workshop="B5", tokens="3 copper")
    assert "repair 1" in t.legal
    position(row="Y2", workshop="B5", tokens="2 copper").refuses("repair 1")
    assert "repair 1" in position(row="Y2", workshop="B5 B5", tokens="2 copper").legal
    position(row="Y2", workshop="B4", tokens="2 copper 5 wood 5 crystal").refuses("repair 1")


def test_n06_07_payment_returns_to_the_reserve():
    """N6.7."""
    t = position(row="B1 P5", tokens="1 wood 1 copper 2 crystal 2 charcoalium")
    before = t.snap["reserve"]
    t.play("repair 2")
    assert t.snap["reserve"] == {**before, "wood": 8, "copper": 8, "crystal": 8} and t.tokens == tokens("2 charcoalium")


def test_n06_08_n17_05_the_fee_lies_next_to_the_repaired_machine():
    """N6.8, N17.5: a reduction leaves the machine farthest to the right without."""
    t = position(row="B1 P1 B2 B3:1 B4", workshop="B2", tokens="1 wood 1 copper 3 charcoalium").play("repair 2")
    assert t.row == "B1 B2:1 B3:2 B4" and t.tokens["charcoalium"] == 1


def test_n06_09_what_lies_on_it_is_taken_after_the_payment():
    """N6.9: it cannot pay for itself; the machine is the newest of the workshop."""
    position(row="P1:2 B1", tokens="1 wood 1 copper").refuses("repair 1")
    t = position(row="P1:2 B1", workshop="B4", tokens="1 wood 1 copper 1 charcoalium").play("repair 1")
    assert t.tokens == tokens("2 charcoalium") and t.row == "B1:1" and t.me["workshop"] == ["B4", "P1"]


def test_n06_10_points_at_once():
    """N6.10: before projects."""
    t = position(row="B4", workshop="B1", tokens="2 copper 1 crystal", board=[1]).play("repair 1")
    assert t.phase == "projects" and t.me["points"] == 2


def test_n06_11_the_gap_closes():
    """N6.11, N13.3: with what lies on the machines."""
    t = position(row="B1 P1 B2:1 B3", tokens="1 wood 1 copper 2 charcoalium").play("repair 2")
    assert t.row == "B1 B2:2 B3:1"


def test_n06_12_then_projects_then_the_limit():
    """N6.12: with no project possible the limit follows at once."""
    t = position(row="P1", workshop="B1 B2 B3", tokens="1 wood 1 copper").play("repair 1")
    assert t.seat == 1 and t.me["workshop"] == ["P1"] and t.gone.keys() >= {"B1", "B2", "B3"}


def test_n17_14_the_price_is_worked_out():
    """N17.14: a repair names a space and nothing else."""
    assert position(row="P1", tokens="8 wood 8 copper").legal == {"repair 1"}


# The payment with wild reductions

BY_SYMBOL = dict(zip(("charcoalium", "wood", "copper", "crystal", "wild"), ("B2", "B1", "B3", "B4", "B5"), strict=True))


def payable(kind: int, symbols: tuple[str, ...], stock: tuple[int, ...]) -> tuple[list[int], int, set[tuple[int, ...]]]:
    """Need, number of wild reductions, and the needs that can be left: by trying all."""
    names = ("wood", "copper", "crystal")
    need = [max(0, int(COST[kind, r]) - symbols.count(name)) for r, name in enumerate(names)]
    due = min(symbols.count("wild"), sum(need))
    found = set()
    for taken in itertools.product(*(range(number + 1) for number in need)):
        left = tuple(number - less for number, less in zip(need, taken, strict=True))
        if sum(taken) == due and all(number <= have for number, have in zip(left, stock, strict=True)):
            found.add(left)
    return need, due, found


def reached(s, ends: list[tuple[int, ...]]) -> None:
    """All ways through the phase wild, in what they leave to pay."""
    options = int(wild_choices(s))
    assert options, "a payment that was begun cannot be finished"
    for resource in range(3):
        if options >> resource & 1:
            after = s.copy()
            if after.left == 1:
                left = [int(number) for number in after.need]
                left[resource] -= 1
                ends.append(tuple(left))
            else:
                spend_wild(after, resource)
                reached(after, ends)


def all_cases():
    costs = {tuple(row): kind for kind, row in enumerate(COST.tolist())}
    for number in range(4):
        for symbols in itertools.combinations_with_replacement(BY_SYMBOL, number):
            for kind in costs.values():
                for stock in itertools.product(range(5), repeat=3):
                    yield kind, symbols, stock


@engine_only  # it writes to the state
@pytest.mark.parametrize("step", [541 if JIT_DISABLED else 31, pytest.param(1, marks=pytest.mark.slow)])
def test_n21_01_n21_02_n21_03_every_payment_is_reached_in_one_way(step: int):
    """N21.1-N21.3, N6.6: all workshops of up to three symbols, all costs, all stocks of up to four."""
    games = np.zeros(1, State.dtype)
    mask = np.zeros(133, np.int8)
    cases = payments = 0
    for kind, symbols, stock in itertools.islice(all_cases(), 0, None, step):
        _need, due, wanted = payable(kind, symbols, stock)
        games[0] = State.blank[0]
        s = games[0]
        me = s.seats[0]
        s.machines, s.kinds[0] = 1, kind
        me.machines = len(symbols)
        for place, symbol in enumerate(symbols):
            me.workshop[place] = KINDS.index(BY_SYMBOL[symbol])
        me.tokens[1:] = stock
        assert legal_repairs(s, mask) == bool(wanted)
        if not wanted:
            continue
        cases += 1
        payments += len(wanted)
        if due == 0:
            continue
        begin_repair(s, 0)
        assert s.phase == WILD and s.left == due
        ends: list[tuple[int, ...]] = []
        reached(s, ends)
        assert sorted(ends) == sorted(wanted)
    assert cases
    if step == 1:
        assert (cases, payments) == (68_630, 80_772)


def test_n21_01_without_wild_symbols_it_is_paid_at_once():
    """N21.1: u = 0 also if nothing is needed."""
    t = position(row="B2", workshop="P4 B1 B5").play("repair 1")
    assert t.seat == 1 and t.me["points"] == 1


def test_n21_02_n20_04_reductions_are_named_in_rising_order():
    """N21.2, N20.4: and the rest stays payable."""
    t = position(row="R4", workshop="B5 P1", tokens="1 wood 3 copper").play("repair 1")
    assert t.legal == {"wild wood", "wild copper"}
    assert t.snap["repair"] == {"space": 1, "fee": 0, "need": {"wood": 1, "copper": 3, "crystal": 0}}
    t.play("wild wood")
    assert t.seat == 1 and t.tokens == tokens("1 wood 1 copper")
    t = position(row="P5", workshop="B5 P1", tokens="1 wood 1 copper 2 crystal").play("repair 1", "wild copper")
    assert t.seat == 1 and t.tokens == tokens("1 copper 1 crystal")
    t = position(row="P5", workshop="B5 P1", tokens="1 wood 1 copper 2 crystal").play("repair 1", "wild wood")
    assert t.legal == {"wild copper", "wild crystal"} and t.snap["previous"] == "wood" and t.snap["left"] == 1


def test_n21_04_the_fee_asks_nothing():
    """N21.4: it is known as soon as the machine is chosen."""
    t = position(row="R2 B1 B1 B1", workshop="B2 B5", tokens="2 charcoalium 1 wood 1 copper 1 crystal").play("repair 1")
    assert t.snap["repair"]["fee"] == 2 and t.tokens["charcoalium"] == 2
    assert t.play("wild wood").row == "B1:1 B1:1 B1"


@pytest.mark.parametrize("stock", ["3 wood", "1 copper 3 wood"])
def test_n21_02_what_comes_before_must_be_covered(stock: str):
    """N21.2 (a)."""
    t = position(row="B5", workshop="P1", tokens=stock).play("repair 1")
    if stock == "3 wood":
        assert t.seat == 1 and t.tokens == tokens()
    else:
        assert t.legal == {"wild wood", "wild copper"}

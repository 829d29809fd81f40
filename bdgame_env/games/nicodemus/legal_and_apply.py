"""What is legal, phase by phase (N20), and what a decision does. Each chapter of the rules has its own file:

setup.py N2, playing.py N4, hands.py N5, repairing.py N6 and N21, projects.py N7 and N8, effects.py N9-N12,
bric_a_brac.py N13, tokens.py N14, ending.py N3.4 and N15, resample.py and observe.py N16 and N23, prospects.py N23.12,
actions.py N19.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.bits import lowest, several
from ...engine.jit import kernel
from . import actions as act
from . import state as st
from .cards import NUM_KINDS, P1, Y2
from .effects import (
    begin_effect,
    discard_for_cost,
    discard_target,
    exchange,
    exchange_choices,
    hand_choices,
    keep_choices,
    keep_project,
    pick,
    pick_choices,
    previous_choices,
)
from .ending import end_turn
from .hands import refill
from .playing import (
    applicable,
    copyable,
    play_machine,
    use_for_charcoalium,
    use_for_effect,
    use_for_production,
)
from .projects import begin_project, choose_partner, partner_choices, project_choices, stop_completing
from .repairing import begin_repair, legal_repairs, spend_wild, wild_choices
from .state import Config, State
from .tokens import mover


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """N19, N20: set mask[a] = 1 for every legal action of the seat on turn; there is always one (N24.5)."""
    phase = int(s.phase)
    if phase == st.TURN:
        _legal_in_turn(s, mask)
        return
    for choice in range(act.COUNT[phase]):
        mask[act.FIRST[phase] + choice] = int(s.choices) >> choice & 1
    if phase in (st.EXCHANGE, st.PROJECTS):
        mask[act.DONE] = 1


@kernel
def _legal_in_turn(s: State, mask: Ints) -> None:
    """N3.1, N20.1: play a machine from the hand or repair one; pass only if neither is possible (N3.2, N3.3)."""
    me = mover(s)
    kinds = applicable(s, int(me.hand_size) - 1, int(s.machines))
    for kind in range(NUM_KINDS):
        mask[act.PLAY_CHARCOALIUM + kind] = me.hand[kind] > 0
    for kind in range(NUM_KINDS):
        mask[act.PLAY_PRODUCE + kind] = me.hand[kind] > 0
    for kind in range(NUM_KINDS):
        mask[act.PLAY_EFFECT + kind] = kinds >> kind & (me.hand[kind] > 0)
    repairs = legal_repairs(s, mask)
    if me.hand_size == 0 and not repairs:
        mask[act.PASS] = 1


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """Carry out a legal action and its automatic consequences, up to the next decision (N18.1)."""
    a = int(action)
    if s.phase == st.TURN:
        _begin_turn(s, config, a)
    elif a == act.DONE:
        _stop(s)
    else:
        _choose(s, a - int(act.FIRST[s.phase]))
    _settle(s, config)


@kernel
def _begin_turn(s: State, config: Config, a: int) -> None:
    """N3.1, N4.2: play a machine in one of three ways, begin a repair, or pass; this cannot be undone (N3.5)."""
    family = int(act.FAMILY[a])
    choice = a - family  # a space, or the kind of a machine
    if family == act.PASS:
        _note_turn(s, st.USE_PASS, st.NONE)
        refill(s, config)  # N3.3
        s.phase = st.END
    elif family == act.REPAIR:
        _note_turn(s, st.USE_REPAIR, int(s.kinds[choice]))
        begin_repair(s, choice)
    elif family == act.PLAY_CHARCOALIUM:
        play_machine(s, choice)
        _note_turn(s, st.USE_CHARCOALIUM, choice)
        use_for_charcoalium(s, choice)
    elif family == act.PLAY_PRODUCE:
        play_machine(s, choice)
        _note_turn(s, st.USE_PRODUCE, choice)
        use_for_production(s, choice)
    else:
        play_machine(s, choice)
        _note_turn(s, st.USE_EFFECT, choice)
        use_for_effect(s, choice)


@kernel
def _note_turn(s: State, use: int, kind: int) -> None:
    """N16.7: note what both seats remember about the mover's turn."""
    me = mover(s)
    me.last_use, me.last_kind, me.last_effect = use, kind, st.NONE


@kernel
def _stop(s: State) -> None:
    """DONE (N10.4.1, N7.1), or nothing left to do in EXCHANGE or PROJECTS (N20.3)."""
    if s.phase == st.PROJECTS:
        stop_completing(s)
    else:
        s.phase = st.END


@kernel
def choices(s: State) -> int:
    """N20: what is legal in a phase other than TURN: bit i for the i-th action of its family."""
    phase = int(s.phase)
    if phase == st.WILD:
        return wild_choices(s)
    if phase == st.PICK:
        return pick_choices(s)
    if phase == st.HAND:
        return hand_choices(s)
    if phase == st.TARGET:
        return _target_choices(s)
    if phase == st.EXCHANGE:
        return exchange_choices(s)
    if phase == st.KEEP:
        return keep_choices(s)
    if phase == st.PROJECTS:
        return project_choices(s)
    if phase == st.PARTNER:
        return partner_choices(s)
    return 0


@kernel
def _target_choices(s: State) -> int:
    """N10.2, N10.3, N12.2, N19.1: spaces before the machine just played."""
    if s.effect == Y2:
        before = int(s.machines) - 1
        return copyable(s, applicable(s, int(mover(s).hand_size), before), before)
    return previous_choices(s)


@kernel
def _choose(s: State, choice: int) -> None:
    """Carry out the i-th action of the phase's family."""
    phase = int(s.phase)
    if phase == st.WILD:
        spend_wild(s, choice)
    elif phase == st.PICK:
        pick(s, choice)
    elif phase == st.HAND:
        discard_for_cost(s, choice)
    elif phase == st.TARGET:
        _target(s, choice)
    elif phase == st.EXCHANGE:
        exchange(s, choice)
    elif phase == st.KEEP:
        keep_project(s, choice)
    elif phase == st.PROJECTS:
        begin_project(s, choice)
    else:
        choose_partner(s, choice)


@kernel
def _target(s: State, space: int) -> None:
    """N12.2, N12.2.3: for a Y2, copy the effect and begin it; for P2 and P3, discard the machine."""
    if s.effect == Y2:
        s.effect = s.kinds[space]
        mover(s).last_effect = s.effect
        begin_effect(s, int(s.effect))
    else:
        discard_target(s, space)


@kernel
def _settle(s: State, config: Config) -> None:
    """N20.2, N20.3: carry out everything that leaves no choice, up to the next decision or the next turn."""
    while s.phase not in (st.TURN, st.OVER):
        if s.phase == st.END:
            end_turn(s, config)
            continue
        s.choices = choices(s)
        if s.choices == 0:
            _stop(s)
        elif several(s.choices) or always_asked(s):
            return
        else:
            _choose(s, lowest(s.choices))


@kernel
def always_asked(s: State) -> bool:
    """N20.2, N20.8: whether the phase is asked even if it leaves no choice.

    What P1 can discard, and then gain, is the mover's secret; skipping these questions would reveal it.
    """
    return s.phase in (st.EXCHANGE, st.PROJECTS, st.HAND) or (s.phase == st.PICK and s.effect == P1)

"""The loops over many matches: a template that `loop_builder` copies for each game, with that game's rules.

`games` is an array of state records (n,), `configs` the config record, shape (1,). A loop handles matches lo..hi-1, so
that threads can share a batch; a single match uses the same loops with lo, hi = 0, 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .codes import ALL_LEGAL, HAS_ENDED, REFUSED, RUNNING, TERMINATED, TRUNCATED, WAS_CUT
from .jit import lean_entry_point, lean_kernel
from .memory import fetch
from .rewards import POINTS, rank_reward
from .rng import draw, random_legal

if TYPE_CHECKING:
    from .arrays import Floats2, Ints, Ints2, Rows
    from .loop_records import PlaySettings
    from .rng import Stream
    from .seam import BLANK, REFRESHES, rules
    from .struct import GameState, Settings

_AHEAD = 2  # so many matches before its turn a game is fetched from memory


@lean_entry_point
def reset_games(games: Rows[GameState], configs: Rows[Settings], deals: Ints, lo: int, hi: int) -> None:
    """Start new games in matches lo..hi-1 from the game seeds `deals` (uint64, shape (n,))."""
    for i in range(lo, hi):
        games[i] = BLANK[0]
        games[i].rng = deals[i]
        games[i].game_seed = deals[i]
        rules.reset(games[i], configs[0])


@lean_kernel
def determinize(s: GameState, config: Settings, number: int, seat: int) -> None:
    """Sample everything that `seat` does not know, and all chance to come, from the stream of `number` (uint64).

    The record then depends on what the seat knows and on `number`, and on nothing else of the true position: neither
    its generator nor its game seed is left, and `resample` must not read what it replaces.
    """
    s.rng = number
    s.game_seed = 0
    rules.resample(s, config, seat)


@lean_entry_point
def determinize_games(
    games: Rows[GameState], configs: Rows[Settings], numbers: Ints, seats: Ints, lo: int, hi: int
) -> None:
    """`determinize` matches lo..hi-1 for `seats[i]` (int8, shape (n,)) from `numbers[i]` (uint64, shape (n,))."""
    for i in range(lo, hi):
        determinize(games[i], configs[0], numbers[i], seats[i])


@lean_entry_point
def legal_games(games: Rows[GameState], configs: Rows[Settings], mask: Ints2, lo: int, hi: int) -> None:
    """Write the legal actions of matches lo..hi-1 into `mask` (int8, shape (n, actions)); none when over."""
    for i in range(lo, hi):
        mask[i, :] = 0
        if games[i].over == 0:
            rules.legal(games[i], configs[0], mask[i])


@lean_entry_point
def observe_games(
    games: Rows[GameState], configs: Rows[Settings], seats: Ints, obs: Rows[Any], lo: int, hi: int
) -> None:
    """Write what `seats[i]` (int8, shape (n,)) sees in match i into `obs[i]` (observation records)."""
    for i in range(lo, hi):
        rules.observe(games[i], configs[0], seats[i], obs[i])


@lean_entry_point
def refresh_games(
    games: Rows[GameState], configs: Rows[Settings], seats: Ints, obs: Rows[Any], seen: Rows[Any], lo: int, hi: int
) -> None:
    """`observe_games` where `obs[i]` shows what `seen[i]` tells, see `seam.RefreshingRules`."""
    for i in range(lo, hi):
        rules.refresh(games[i], configs[0], seats[i], obs[i], seen[i])


@lean_entry_point
def look_games(games: Rows[GameState], configs: Rows[Settings], obs: Rows[Any], mask: Ints2, lo: int, hi: int) -> None:
    """Write observation and mask of the seat to decide."""
    for i in range(lo, hi):
        mask[i, :] = 0
        if games[i].over == 0:
            rules.legal(games[i], configs[0], mask[i])
        rules.observe(games[i], configs[0], games[i].seat, obs[i])


@lean_entry_point
def apply_games(games: Rows[GameState], configs: Rows[Settings], actions: Ints, lo: int, hi: int) -> None:
    """Carry out `actions[i]`, known to be legal, in each match that is not over."""
    for i in range(lo, hi):
        if games[i].over == 0:
            games[i].decisions += 1
            rules.apply(games[i], configs[0], actions[i])


@lean_entry_point
def first_illegal(actions: Ints, mask: Ints2, lo: int, hi: int) -> int:
    """The first match in lo..hi-1 whose action the mask forbids or is not an action id, or ALL_LEGAL."""
    for i in range(lo, hi):
        a = actions[i]
        if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
            return i
    return ALL_LEGAL


@lean_entry_point
def play_legal(games: Rows[GameState], configs: Rows[Settings], actions: Ints, mask: Ints2, lo: int, hi: int) -> int:
    """Check `actions[i]` against the rules and carry it out, match by match.

    Returns the first match whose action is illegal, with that match unchanged, or ALL_LEGAL. `mask` is work space.
    """
    for i in range(lo, hi):
        mask[i, :] = 0
        if games[i].over == 0:
            rules.legal(games[i], configs[0], mask[i])
        a = actions[i]
        if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
            return i
        games[i].decisions += 1
        rules.apply(games[i], configs[0], a)
    return ALL_LEGAL


@lean_entry_point
def step_games(
    games: Rows[GameState],
    configs: Rows[Settings],
    actions: Ints,
    obs: Rows[Any],
    seen: Rows[Any],
    mask: Ints2,
    seats: Ints,
    rewards: Floats2,
    done: Ints,
    finals: Ints2,
    settings: Rows[PlaySettings],
    lo: int,
    hi: int,
) -> None:
    """Play one decision in each match, start a new game where one ended, and write what the next seat sees and may do.

    Shapes and types: actions int32 (n,), legal; obs observation records (n,), which show what `seen` (n,) tells; mask
    int8 (n, actions); seats int8 (n,), the seat to decide next; rewards float32 (n, players), of this decision, for
    every seat; done int8 (n,), RUNNING, TERMINATED or TRUNCATED; finals int32 (n, 2 * players + 1), points, ranks and
    number of decisions of a game that just ended.
    """
    config = configs[0]
    for i in range(lo, hi):
        s = games[i]
        ahead = min(i + _AHEAD, hi - 1)
        fetch(games[ahead])
        if REFRESHES:
            fetch(seen[ahead])
        done[i] = decide(s, config, actions[i], rewards, finals, i, settings[0], False)
        if done[i] != RUNNING:
            new_game(games, configs, i)
        seats[i] = s.seat
        if settings[0].watching != 0:
            mask[i, :] = 0
            rules.legal(s, config, mask[i])
            if REFRESHES:
                rules.refresh(s, config, s.seat, obs[i], seen[i])
            else:
                rules.observe(s, config, s.seat, obs[i])


@lean_entry_point
def play_match(
    games: Rows[GameState],
    configs: Rows[Settings],
    obs: Rows[Any],
    mask: Ints2,
    rewards: Floats2,
    finals: Ints2,
    settings: Rows[PlaySettings],
) -> int:
    """Check and play one decision in a single match, without a new game after the end.

    All arrays have one row: `obs` records (1,) and `mask` int8 (1, actions), the legal actions,
    are updated; `rewards` float (1, players) are those of this decision; `finals` int32
    (1, 2 * players + 1) is written when the game ends: points, ranks and number of decisions. `settings` has the
    action, and counts the decisions that are left.

    Returns the seat to decide next, or REFUSED if nothing was changed, or HAS_ENDED or WAS_CUT.
    """
    action = settings[0].action
    if action < 0 or action >= mask.shape[1] or mask[0, action] == 0:
        return REFUSED
    s = games[0]
    settings[0].decisions_left -= 1
    outcome = decide(s, configs[0], action, rewards, finals, 0, settings[0], settings[0].decisions_left <= 0)
    rules.observe(s, configs[0], s.seat, obs[0])
    mask[0, :] = 0
    if outcome != RUNNING:
        return HAS_ENDED if outcome == TERMINATED else WAS_CUT
    rules.legal(s, configs[0], mask[0])
    return int(s.seat)


@lean_kernel
def decide(
    s: GameState,
    config: Settings,
    action: int,
    rewards: Floats2,
    finals: Ints2,
    i: int,
    settings: PlaySettings,
    cut: bool,
) -> int:
    """Carry out a legal action and write every seat's reward; `cut` truncates the game after it.

    Returns RUNNING, TERMINATED or TRUNCATED; in the last two cases row i of `finals` is written.
    """
    shaped = settings.scheme == POINTS
    if shaped:
        add_shaping(s, config, rewards, i, -settings.shaping, True)
    else:
        rewards[i, :] = 0.0
    s.decisions += 1
    rules.apply(s, config, action)
    if s.over == 0 and not cut:
        if shaped:
            add_shaping(s, config, rewards, i, settings.shaping * settings.gamma, False)
        return RUNNING
    write_finals(s, config, finals, i)
    players = rewards.shape[1]
    for seat in range(players):
        rewards[i, seat] += rank_reward(finals[i, players : 2 * players], players, seat, settings.scheme)
    return TERMINATED if s.over != 0 and s.truncated == 0 else TRUNCATED


@lean_kernel
def new_game(games: Rows[GameState], configs: Rows[Settings], i: int) -> None:
    """Start a new game in match i; its seed is the next number of the old game's generator."""
    number = draw(games[i])
    games[i] = BLANK[0]
    games[i].rng = number
    games[i].game_seed = number
    rules.reset(games[i], configs[0])


@lean_entry_point
def choosing_games(
    games: Rows[GameState], configs: Rows[Settings], numbers: Ints, seats: Ints2, lo: int, hi: int
) -> None:
    """Write which seats choose simultaneously (int8, shape (n, MAX_SEATS)), and in which phase (int64, (n,)).

    Only for a game that declares `simultaneous`.
    """
    for i in range(lo, hi):
        numbers[i] = rules.simultaneous(games[i], configs[0], seats[i])


@lean_entry_point
def finals_games(games: Rows[GameState], configs: Rows[Settings], finals: Ints2, lo: int, hi: int) -> None:
    """Write points, ranks and number of decisions of matches lo..hi-1 (int32, shape (n, 2 * players + 1))."""
    for i in range(lo, hi):
        write_finals(games[i], configs[0], finals, i)


@lean_kernel
def write_finals(s: GameState, config: Settings, finals: Ints2, i: int) -> None:
    """Write points, ranks and number of decisions of the game in match i to row i of `finals`."""
    players = (finals.shape[1] - 1) // 2
    rules.ranks(s, config, finals[i, players : 2 * players])
    for seat in range(players):
        finals[i, seat] = rules.points(s, config, seat)
    finals[i, 2 * players] = s.decisions


@lean_kernel
def add_shaping(s: GameState, config: Settings, rewards: Floats2, i: int, factor: float, first: bool) -> None:
    """Add factor times the potential of each seat: its progress less the mean progress of the others.

    Potential-based shaping leaves the best policies unchanged (Ng, Harada and Russell 1999); the potential of a
    finished game is 0.
    """
    players = rewards.shape[1]
    total = 0.0
    for seat in range(players):
        total += rules.progress(s, config, seat)
    for seat in range(players):
        own = rules.progress(s, config, seat)
        lead = own - (total - own) / (players - 1)
        if first:
            rewards[i, seat] = factor * lead
        else:
            rewards[i, seat] += factor * lead


@lean_entry_point
def play_random(
    games: Rows[GameState], configs: Rows[Settings], mask: Ints2, rng: Rows[Stream], count: int, lo: int, hi: int
) -> int:
    """Play `count` uniformly random decisions in each match, starting new games as old ones end.

    `rng` holds one record per match with the field `rng`, apart from the games' own generators. Returns how many games
    ended.
    """
    ended = 0
    for i in range(lo, hi):
        for _ in range(count):
            mask[i, :] = 0
            rules.legal(games[i], configs[0], mask[i])
            games[i].decisions += 1
            rules.apply(games[i], configs[0], random_legal(mask[i], rng[i]))
            if games[i].over != 0:
                new_game(games, configs, i)
                ended += 1
    return ended


@lean_entry_point
def random_actions(mask: Ints2, rng: Rows[Stream], actions: Ints, lo: int, hi: int) -> None:
    """Choose a uniformly random legal action for each row of `mask`, or 0 if none is legal."""
    for i in range(lo, hi):
        actions[i] = random_legal(mask[i], rng[i])

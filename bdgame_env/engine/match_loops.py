"""The loops over many matches: a template that `loop_builder` copies for each game, with that game's rules.

`games` is an array of state records (n,), `configs` the config record, shape (1,). A loop handles matches lo..hi-1, so
that threads can share a batch; a single match uses the same loops with lo, hi = 0, 1.
"""

# ruff: noqa: F821  the names of the rules are filled in for each game
# mypy: disable-error-code="name-defined,no-untyped-def"
from __future__ import annotations

from .jit import entry_point, kernel
from .rewards import POINTS, rank_reward
from .rng import draw, random_legal

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
ILLEGAL = -1


@entry_point
def reset_games(games, configs, deals, lo, hi):
    """Start new games in matches lo..hi-1 from the game seeds `deals` (uint64, shape (n,))."""
    for i in range(lo, hi):
        games[i] = BLANK[0]
        games[i].rng = deals[i]
        games[i].game_seed = deals[i]
        reset(games[i], configs[0])


@kernel
def determinize(s, config, number, seat):
    """Sample everything that `seat` does not know, and all chance to come, from the stream of `number` (uint64).

    The record then depends on what the seat knows and on `number`, and on nothing else of the true position: neither
    its generator nor its game seed is left, and `resample` must not read what it replaces.
    """
    s.rng = number
    s.game_seed = 0
    resample(s, config, seat)


@entry_point
def determinize_games(games, configs, numbers, seats, lo, hi):
    """`determinize` matches lo..hi-1 for `seats[i]` (int8, shape (n,)) from `numbers[i]` (uint64, shape (n,))."""
    for i in range(lo, hi):
        determinize(games[i], configs[0], numbers[i], seats[i])


@entry_point
def legal_games(games, configs, mask, lo, hi):
    """Write the legal actions of matches lo..hi-1 into `mask` (int8, shape (n, actions)); none when over."""
    for i in range(lo, hi):
        mask[i, :] = 0
        if games[i].over == 0:
            legal(games[i], configs[0], mask[i])


@entry_point
def observe_games(games, configs, seats, obs, lo, hi):
    """Write what `seats[i]` (int8, shape (n,)) sees in match i into `obs[i]` (observation records)."""
    for i in range(lo, hi):
        observe(games[i], configs[0], seats[i], obs[i])


@entry_point
def look_games(games, configs, obs, mask, lo, hi):
    """Write observation and mask of the seat to decide."""
    for i in range(lo, hi):
        mask[i, :] = 0
        if games[i].over == 0:
            legal(games[i], configs[0], mask[i])
        observe(games[i], configs[0], games[i].seat, obs[i])


@entry_point
def apply_games(games, configs, actions, lo, hi):
    """Carry out `actions[i]`, known to be legal, in each match that is not over."""
    for i in range(lo, hi):
        if games[i].over == 0:
            games[i].decisions += 1
            apply(games[i], configs[0], actions[i])


@entry_point
def first_illegal(actions, mask, lo, hi):
    """The first match in lo..hi-1 whose action the mask forbids or is not an action id, or -1."""
    for i in range(lo, hi):
        a = actions[i]
        if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
            return i
    return -1


@entry_point
def play_legal(games, configs, actions, mask, lo, hi):
    """Check `actions[i]` against the rules and carry it out, match by match.

    Returns the first match whose action is illegal, with that match unchanged, or -1. `mask` is work space.
    """
    for i in range(lo, hi):
        mask[i, :] = 0
        if games[i].over == 0:
            legal(games[i], configs[0], mask[i])
        a = actions[i]
        if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
            return i
        games[i].decisions += 1
        apply(games[i], configs[0], a)
    return -1


@entry_point
def step_games(games, configs, actions, obs, mask, seats, rewards, done, finals, options, lo, hi):
    """Play one decision in each match, start a new game where one ended, and write what the next seat sees and may do.

    Shapes and types: actions int32 (n,), legal; obs observation records (n,); mask int8 (n, actions); seats int8 (n,),
    the seat to decide next; rewards float32 (n, players), of this decision, for every seat; done int8 (n,), RUNNING,
    TERMINATED or TRUNCATED; finals int32 (n, 2 * players + 1), points, ranks and number of decisions of a game that
    just ended; options float64 (4,), reward scheme, shaping factor, shaping gamma, 1 if observations are wanted.
    """
    config = configs[0]
    for i in range(lo, hi):
        s = games[i]
        done[i] = decide(s, config, actions[i], rewards, finals, i, options, False)
        if done[i] != RUNNING:
            new_game(games, configs, i)
        seats[i] = s.seat
        if options[3] != 0.0:
            mask[i, :] = 0
            legal(s, config, mask[i])
            observe(s, config, s.seat, obs[i])


@entry_point
def play_match(games, configs, actions, obs, mask, rewards, finals, options):
    """Check and play one decision in a single match, without a new game after the end.

    All arrays have one row: `actions` int32 (1,); `obs` records (1,) and `mask` int8 (1, actions), the legal actions,
    are updated; `rewards` float (1, players) are those of this decision; `finals` int32
    (1, 2 * players + 1) is written when the game ends: points, ranks and number of decisions. `options` float64 (4,):
    reward scheme, shaping factor, shaping gamma, decisions left before truncation.

    Returns the seat to decide next, or ILLEGAL if nothing was changed, or ILLEGAL - TERMINATED or ILLEGAL - TRUNCATED.
    """
    action = actions[0]
    if action < 0 or action >= mask.shape[1] or mask[0, action] == 0:
        return ILLEGAL
    s = games[0]
    options[3] -= 1.0
    outcome = decide(s, configs[0], action, rewards, finals, 0, options, options[3] <= 0.0)
    observe(s, configs[0], s.seat, obs[0])
    mask[0, :] = 0
    if outcome != RUNNING:
        return ILLEGAL - outcome
    legal(s, configs[0], mask[0])
    return int(s.seat)


@kernel
def decide(s, config, action, rewards, finals, i, options, cut):
    """Carry out a legal action and write every seat's reward; `cut` truncates the game after it.

    Returns RUNNING, TERMINATED or TRUNCATED; in the last two cases row i of `finals` is written.
    """
    scheme = int(options[0])
    shaped = scheme == POINTS
    if shaped:
        add_shaping(s, config, rewards, i, -options[1], True)
    else:
        rewards[i, :] = 0.0
    s.decisions += 1
    apply(s, config, action)
    if s.over == 0 and not cut:
        if shaped:
            add_shaping(s, config, rewards, i, options[1] * options[2], False)
        return RUNNING
    write_finals(s, config, finals, i)
    players = rewards.shape[1]
    for seat in range(players):
        rewards[i, seat] += rank_reward(finals[i, players : 2 * players], players, seat, scheme)
    return TERMINATED if s.over != 0 and s.truncated == 0 else TRUNCATED


@kernel
def new_game(games, configs, i):
    """Start a new game in match i; its seed is the next number of the old game's generator."""
    number = draw(games[i])
    games[i] = BLANK[0]
    games[i].rng = number
    games[i].game_seed = number
    reset(games[i], configs[0])


@entry_point
def choosing_games(games, configs, numbers, seats, lo, hi):
    """Write which seats choose simultaneously (int8, shape (n, MAX_SEATS)), and in which phase (int64, (n,)).

    Only for a game that declares `simultaneous`.
    """
    for i in range(lo, hi):
        numbers[i] = simultaneous(games[i], configs[0], seats[i])


@entry_point
def finals_games(games, configs, finals, lo, hi):
    """Write points, ranks and number of decisions of matches lo..hi-1 (int32, shape (n, 2 * players + 1))."""
    for i in range(lo, hi):
        write_finals(games[i], configs[0], finals, i)


@kernel
def write_finals(s, config, finals, i):
    """Write points, ranks and number of decisions of the game in match i to row i of `finals`."""
    players = (finals.shape[1] - 1) // 2
    ranks(s, config, finals[i, players : 2 * players])
    for seat in range(players):
        finals[i, seat] = points(s, config, seat)
    finals[i, 2 * players] = s.decisions


@kernel
def add_shaping(s, config, rewards, i, factor, first):
    """Add factor times the potential of each seat: its progress less the mean progress of the others.

    Potential-based shaping leaves the best policies unchanged (Ng, Harada and Russell 1999); the potential of a
    finished game is 0.
    """
    players = rewards.shape[1]
    total = 0.0
    for seat in range(players):
        total += progress(s, config, seat)
    for seat in range(players):
        own = progress(s, config, seat)
        lead = own - (total - own) / (players - 1)
        if first:
            rewards[i, seat] = factor * lead
        else:
            rewards[i, seat] += factor * lead


@entry_point
def play_random(games, configs, mask, rng, count, lo, hi):
    """Play `count` uniformly random decisions in each match, starting new games as old ones end.

    `rng` holds one record per match with the field `rng`, apart from the games' own generators. Returns how many games
    ended.
    """
    ended = 0
    for i in range(lo, hi):
        for _ in range(count):
            mask[i, :] = 0
            legal(games[i], configs[0], mask[i])
            games[i].decisions += 1
            apply(games[i], configs[0], random_legal(mask[i], rng[i]))
            if games[i].over != 0:
                new_game(games, configs, i)
                ended += 1
    return ended


@entry_point
def random_actions(mask, rng, actions, lo, hi):
    """Choose a uniformly random legal action for each row of `mask`, or 0 if none is legal."""
    for i in range(lo, hi):
        actions[i] = random_legal(mask[i], rng[i])

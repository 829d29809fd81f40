"""The loops of self-play: a template that `loop_builder` copies for each game, with that game's rules and players.

Each seat of a match is played by the network that learns (LEARNER), another network (RIVAL), the teacher, or a compiled
policy: 0 for random, 1 and up for the game's compiled players. The other network may be the teacher itself. Decisions
of the learner and of the teacher are written to a `Window`; forced ones, with a single legal action, are played and not
written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bdgame_env.engine.codes import RANDOM
from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.engine.jit import entry_point, kernel, lean_kernel
from bdgame_env.engine.rewards import RANK, rank_reward, utility
from bdgame_env.engine.rng import draw, random_legal

from .codes import (
    DECISIONS,
    FINAL,
    GAMES,
    LEARNER,
    NO_ADVICE,
    OPEN,
    PLAYED,
    RIVAL,
    RIVAL_GAMES,
    RIVAL_WINS,
    TEACHER,
    TRUNCATED,
)

if TYPE_CHECKING:
    from bdgame_env.agents.networks import accumulator, forward
    from bdgame_env.agents.networks.accumulator import Accumulators
    from bdgame_env.agents.networks.network import Network
    from bdgame_env.agents.networks.row_plan import Plan
    from bdgame_env.engine import match_loops as loops
    from bdgame_env.engine.arrays import Floats, Floats2, Ints, Ints2, Rows
    from bdgame_env.engine.rng import Stream
    from bdgame_env.engine.seam import exploring, players, rules
    from bdgame_env.engine.struct import GameState, Settings

    from .samples import Window
    from .stage import Stage

    Matches = tuple[Rows[GameState], Rows[Settings], Rows[Stream], Ints2]  # states, config, generators, who plays
    Room = tuple[Rows[Any], Ints2, Ints2, Ints2, Rows[Any]]  # see `play_window`
    Space = tuple[Accumulators, Floats2, Floats, Ints, Ints]  # see `work_space`

LEAST = cast(float, np.float32(1e-30))  # probability of which there is a logarithm


@entry_point
def play_window(
    matches: Matches,
    stage: Rows[Stage],
    window: Window,
    steps: int,
    asked: Rows[GameState],
    learner: Network,
    rival: Network,
    plan: Plan,
    room: Room,
    counts: Floats,
    lo: int,
    hi: int,
) -> None:
    """Play until each of the matches lo..hi-1 has `steps` samples; a new game starts where one ends.

    `matches`: states, config record, records with the field `rng`, and who has which seat, int8 (n, MAX_SEATS).
    `asked`: states; of the learner's samples every `search_every`-th is kept there for a search, sample k at
    k // search_every. `room`: work space of this thread: an observation as a record, and as int8 and uint64 with zeros
    after it, a mask, and what compiled players use. `counts`: float64 (COUNTS,), to which are added: GAMES that ended,
    TRUNCATED ones, their DECISIONS, PLAYED decisions, RIVAL_GAMES, and the learner's share of first ranks in these,
    RIVAL_WINS, in twelfths: sums of whole numbers are the same in any order.
    """
    games, configs, rng, lineups = matches
    work, seen, words, mask, scratch = room
    config = configs[0]
    seated = int(config.players)
    settings = stage[0]
    every = int(settings.search_every)
    segment = max(1, int(settings.segment))
    space: Space = work_space(learner, plan, mask)
    rival_space: Space = work_space(rival, plan, mask)
    last: Any = np.empty(MAX_SEATS, np.int64)
    for i in range(lo, hi):
        last[:] = OPEN
        stream = rng[i]
        at = i * steps
        end = at + steps
        begins = at
        while at < end:
            if at == begins:
                window.begins[at] = 1
                begins += segment
                accumulator.forget_all(space[0])
                accumulator.forget_all(rival_space[0])
            s = games[i]
            seat = int(s.seat)
            mask[0, :] = 0
            rules.legal(s, config, mask[0])
            policy = int(lineups[i, seat])
            legals = 0
            only = 0
            for action in range(mask.shape[1]):
                if mask[0, action] != 0:
                    legals += 1
                    only = action
            counts[PLAYED] += 1
            if legals == 1:
                action = only
            elif policy >= RANDOM:
                action = by_rules(policy, s, config, mask[0], stream, scratch)
            else:
                rules.observe(s, config, seat, work[0])
                if policy == RIVAL:
                    action = by_network(
                        seat, rival, plan, seen[0], words[0], mask[0], rival_space, stream, settings.temperature
                    )
                else:
                    action = take_sample(
                        s,
                        config,
                        policy,
                        window,
                        at,
                        learner,
                        rival,
                        plan,
                        seen[0],
                        words[0],
                        mask[0],
                        space,
                        rival_space,
                        stream,
                        settings,
                        scratch,
                    )
                    window.next[at] = OPEN
                    window.searched[at] = 0
                    if policy == LEARNER and every > 0 and at % every == every - 1:
                        window.searched[at] = 1
                        asked[at // every] = s
                    if last[seat] >= 0:
                        window.next[last[seat]] = at
                    last[seat] = at
                    at += 1
            s.decisions += 1
            rules.apply(s, config, action)
            if s.over != 0:
                counts[GAMES] += 1
                counts[TRUNCATED] += int(s.truncated != 0)
                counts[DECISIONS] += s.decisions
                for k in range(seated):
                    if last[k] >= 0:
                        window.next[last[k]] = FINAL
                        score(s, config, k, seated, settings, window.targets[last[k]])
                    last[k] = OPEN
                count_rival(s, config, seated, lineups[i], counts)
                loops.new_game(games, configs, i)
                if settings.exploring > 0.0 and uniform(stream) < settings.exploring:
                    exploring.explore(games[i], config, stream)


@kernel
def count_rival(s: GameState, config: Settings, seated: int, lineup: Ints, counts: Floats) -> None:
    """Count a finished game of the learner against a rival: its share of the first ranks, in twelfths."""
    learners = 0
    rivals = 0
    for seat in range(seated):
        learners += int(lineup[seat] == LEARNER)
        rivals += int(lineup[seat] == RIVAL)
    if learners == 0 or rivals == 0:
        return
    places: Any = np.empty(MAX_SEATS, np.int8)
    rules.ranks(s, config, places)
    winners = 0
    won = 0
    for seat in range(seated):
        if places[seat] == 1:
            winners += 1
            won += int(lineup[seat] == LEARNER)
    counts[RIVAL_GAMES] += 1
    counts[RIVAL_WINS] += 12 * won // winners


@lean_kernel
def write_rows(window: Window, at: int, seat: int, many: Accumulators) -> None:
    """Write who decides, and the rows that the seat's accumulator has just added and taken away, or all."""
    left = many.left[seat]
    added, removed = int(left[accumulator.ADDED]), int(left[accumulator.REMOVED])
    rows = window.rows[at]
    for k in range(added):
        rows[k] = many.added[k]
    for k in range(removed):
        rows[added + k] = many.removed[k]
    window.rows_on[at] = added
    window.rows_off[at] = removed
    window.seats[at] = seat


@lean_kernel
def take_sample(
    s: GameState,
    config: Settings,
    policy: int,
    window: Window,
    at: int,
    learner: Network,
    rival: Network,
    plan: Plan,
    seen: Ints,
    words: Ints,
    mask: Ints,
    space: Space,
    rival_space: Space,
    rng: Stream,
    settings: Stage,
    scratch: Rows[Any],
) -> int:
    """Write a decision of the learner or the teacher to the window; return the action played."""
    many, layers, logits, _, room = space
    seat = int(s.seat)
    accumulator.update_one(many, seat, learner, plan, seen, words, room)
    write_rows(window, at, seat, many)
    forward.run_upper(learner, many.sums[seat], layers, room)
    h = layers[learner.dense.shape[0]]
    forward.run_heads(learner, h, window.values[at])
    legals = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            card = forward.card_row(seen, plan, action)
            window.legal[at, legals] = action
            window.cards[at, legals] = card
            logits[legals] = forward.logit_of(learner, h, action, card)
            legals += 1
    window.legals[at] = legals
    forward.softmax(logits, legals)
    place = sampled(logits, legals, rng)
    played = int(window.legal[at, place])
    if settings.teacher != RANDOM:
        if settings.teacher == RIVAL:
            label = by_network(seat, rival, plan, seen, words, mask, rival_space, rng, 0.0)
        else:
            label = by_rules(settings.teacher, s, config, mask, rng, scratch)
        if policy == TEACHER:
            played = label
            if uniform(rng) < settings.noise:
                played = random_legal(mask, rng)
        for k in range(legals):
            if window.legal[at, k] == label:
                place = k
    window.advised[at] = NO_ADVICE
    if settings.adviser > RANDOM and policy == LEARNER and s.decisions % settings.advice_every == 0:
        advice = by_rules(settings.adviser, s, config, mask, rng, scratch)
        for k in range(legals):
            if window.legal[at, k] == advice:
                window.advised[at] = k
    window.chosen[at] = place
    window.log_prob[at] = np.log(max(logits[place], LEAST))
    return played


@lean_kernel
def by_rules(policy: int, s: GameState, config: Settings, mask: Ints, rng: Stream, scratch: Rows[Any]) -> int:
    """The action of a compiled policy."""
    if policy == RANDOM:
        return random_legal(mask, rng)
    return int(players.choose(policy, s, config, mask, rng, scratch[0]))


@kernel
def work_space(network: Network, plan: Plan, mask: Ints2) -> Any:
    """For `by_network` and `take_sample`: accumulators of the seats, layers, logits, legal actions, room."""
    return (
        accumulator.accumulators(network, plan, MAX_SEATS),
        np.empty((network.dense.shape[0] + 1, network.first.shape[1]), np.float32),
        np.empty(mask.shape[1], np.float32),
        np.empty(mask.shape[1], np.int32),
        np.empty(forward.room_for(network, plan), np.int32),
    )


@lean_kernel
def by_network(
    seat: int,
    network: Network,
    plan: Plan,
    seen: Ints,
    words: Ints,
    mask: Ints,
    space: Space,
    rng: Stream,
    temperature: float,
) -> int:
    """The action of a network: sampled by probability, or the most likely one if the temperature is 0."""
    many, layers, logits, actions, room = space
    accumulator.update_one(many, seat, network, plan, seen, words, room)
    forward.run_upper(network, many.sums[seat], layers, room)
    h = layers[network.dense.shape[0]]
    legals = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            logits[legals] = forward.logit_of(network, h, action, forward.card_row(seen, plan, action))
            actions[legals] = action
            legals += 1
    if temperature > 0.0:
        forward.softmax(logits, legals)
        return int(actions[sampled(logits, legals, rng)])
    return int(actions[forward.greatest(logits, legals)])


@lean_kernel
def uniform(rng: Stream) -> float:
    """A number from [0, 1)."""
    return (draw(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@lean_kernel
def sampled(probabilities: Floats, count: int, rng: Stream) -> int:
    """A place drawn by probability."""
    ticket = uniform(rng)
    for k in range(count):
        ticket -= probabilities[k]
        if ticket < 0.0:
            return k
    return count - 1


@kernel
def score(s: GameState, config: Settings, seat: int, seated: int, settings: Stage, targets: Floats) -> None:
    """Write the targets of a finished game (HEADS,) as the seat sees them: itself first, then the seats after it.

    The utility is made of the reward for the rank and of the lead in points over the best of the others, relative to
    both; a truncated game takes `truncation` off everybody's.
    """
    targets[:] = 0.0
    places: Any = np.empty(MAX_SEATS, np.int8)
    rules.ranks(s, config, places)
    scored: Any = np.empty(MAX_SEATS, np.float32)
    for other in range(seated):
        scored[other] = rules.points(s, config, other)
    for k in range(seated):
        other = (seat + k) % seated
        reward = rank_reward(places, seated, other, RANK)
        value = utility(reward, scored, seated, other, settings.margin)
        if s.truncated != 0:
            value -= settings.truncation
        targets[k] = value
        targets[MAX_SEATS + k] = rules.progress(s, config, other)
        targets[2 * MAX_SEATS + k] = reward


@entry_point
def play_to_the_end(
    matches: Matches,
    stage: Rows[Stage],
    learner: Network,
    rival: Network,
    plan: Plan,
    rival_plan: Plan,
    room: Room,
    results: Ints2,
    lo: int,
    hi: int,
) -> None:
    """Play the matches lo..hi-1 to the end, see `play_window`; no seat is TEACHER.

    `results`: int32 (n, 2 * MAX_SEATS + 2), points and ranks by seat, whether the game was truncated, decisions.
    """
    games, configs, rng, lineups = matches
    work, seen, words, mask, scratch = room
    config = configs[0]
    temperature = stage[0].temperature
    space: Space = work_space(learner, plan, mask)
    rival_space: Space = work_space(rival, rival_plan, mask)
    places: Any = np.empty(MAX_SEATS, np.int8)
    for i in range(lo, hi):
        accumulator.forget_all(space[0])
        accumulator.forget_all(rival_space[0])
        while games[i].over == 0:
            s = games[i]
            seat = int(s.seat)
            mask[0, :] = 0
            rules.legal(s, config, mask[0])
            policy = int(lineups[i, seat])
            if policy >= RANDOM:
                action = by_rules(policy, s, config, mask[0], rng[i], scratch)
            else:
                rules.observe(s, config, seat, work[0])
                if policy == LEARNER:
                    action = by_network(seat, learner, plan, seen[0], words[0], mask[0], space, rng[i], temperature)
                else:
                    action = by_network(
                        seat, rival, rival_plan, seen[0], words[0], mask[0], rival_space, rng[i], temperature
                    )
            s.decisions += 1
            rules.apply(s, config, action)
        rules.ranks(games[i], config, places)
        for seat in range(int(config.players)):
            results[i, seat] = rules.points(games[i], config, seat)
            results[i, MAX_SEATS + seat] = places[seat]
        results[i, 2 * MAX_SEATS] = games[i].truncated
        results[i, 2 * MAX_SEATS + 1] = games[i].decisions

"""The loops of self-play: a template that `loop_builder` copies for each game, with that game's rules and players.

Each seat of a match is played by the network that learns (LEARNER), another network (RIVAL), the teacher, or a compiled
policy: 0 for random, 1 and up for the game's compiled players. Decisions of the learner and of the teacher are written
to a `Window`; forced ones, with a single legal action, are played and not written.
"""

# ruff: noqa: F821  the names of the rules are filled in for each game
# mypy: disable-error-code="name-defined,no-untyped-def"
from __future__ import annotations

import numpy as np

from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.engine.jit import entry_point, kernel, lean_kernel
from bdgame_env.engine.rewards import RANK, rank_reward, utility
from bdgame_env.engine.rng import draw, random_legal

LEARNER, RIVAL, TEACHER = -1, -2, -3
OPEN, FINAL = -1, -2
RANDOM = 0
GAMES, TRUNCATED, DECISIONS, PLAYED, RIVAL_GAMES, RIVAL_WINS, COUNTS = 0, 1, 2, 3, 4, 5, 6  # what is counted


@entry_point
def play_window(matches, stage, window, steps, asked, learner, rival, plan, room, counts, lo, hi):
    """Play until each of the matches lo..hi-1 has `steps` samples; a new game starts where one ends.

    `matches`: states, config record, records with the field `rng`, and who has which seat, int8 (n, MAX_SEATS).
    `asked`: states; of the learner's samples every `search_every`-th is kept there for a search, sample k at
    k // search_every. `room`: work space of this thread: an observation twice, as a record and as int8, a mask, and
    what compiled players use. `counts`: float64 (COUNTS,), to which are added: GAMES that ended, TRUNCATED ones, their
    DECISIONS, PLAYED decisions, RIVAL_GAMES, and the learner's share of first ranks in these, RIVAL_WINS, in twelfths:
    sums of whole numbers are the same in any order.
    """
    games, configs, rng, lineups = matches
    work, seen, mask, scratch = room
    config = configs[0]
    players = int(config.players)
    settings = stage[0]
    every = int(settings.search_every)
    space = work_space(learner, plan, mask)
    rival_space = work_space(rival, plan, mask)
    last = np.empty(MAX_SEATS, np.int64)
    for i in range(lo, hi):
        last[:] = OPEN
        luck = rng[i]
        at = i * steps
        end = at + steps
        while at < end:
            s = games[i]
            seat = int(s.seat)
            mask[0, :] = 0
            legal(s, config, mask[0])
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
                action = by_rules(policy, s, config, mask[0], luck, scratch)
            else:
                observe(s, config, seat, work[0])
                if policy == RIVAL:
                    action = by_network(rival, plan, seen[0], mask[0], rival_space, luck, settings.temperature)
                else:
                    action = take_sample(
                        s, config, policy, window, at, learner, plan, seen[0], mask[0], space, luck, settings, scratch
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
            apply(s, config, action)
            if s.over != 0:
                counts[GAMES] += 1
                counts[TRUNCATED] += int(s.truncated != 0)
                counts[DECISIONS] += s.decisions
                for k in range(players):
                    if last[k] >= 0:
                        window.next[last[k]] = FINAL
                        score(s, config, k, players, settings, window.targets[last[k]])
                    last[k] = OPEN
                count_rival(s, config, players, lineups[i], counts)
                new_game(games, configs, i)


@kernel
def count_rival(s, config, players, lineup, counts):
    """Count a finished game of the learner against a rival: its share of the first ranks, in twelfths."""
    learners = 0
    rivals = 0
    for seat in range(players):
        learners += int(lineup[seat] == LEARNER)
        rivals += int(lineup[seat] == RIVAL)
    if learners == 0 or rivals == 0:
        return
    places = np.empty(MAX_SEATS, np.int8)
    ranks(s, config, places)
    winners = 0
    won = 0
    for seat in range(players):
        if places[seat] == 1:
            winners += 1
            won += int(lineup[seat] == LEARNER)
    counts[RIVAL_GAMES] += 1
    counts[RIVAL_WINS] += 12 * won // winners


@lean_kernel
def take_sample(s, config, policy, window, at, learner, plan, seen, mask, space, rng, settings, scratch):
    """Write a decision of the learner or the teacher to the window; return the action played."""
    _, layers, logits, _, room = space
    count = rows_on(seen, plan, window.rows[at], room)
    window.rows_on[at] = count
    run_body(learner, window.rows[at], count, layers, room)
    h = layers[learner.dense.shape[0]]
    run_heads(learner, h, window.values[at])
    legals = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            card = card_row(seen, plan, action)
            window.legal[at, legals] = action
            window.cards[at, legals] = card
            logits[legals] = logit_of(learner, h, action, card)
            legals += 1
    window.legals[at] = legals
    softmax(logits, legals)
    place = sampled(logits, legals, rng)
    played = int(window.legal[at, place])
    if settings.teacher > RANDOM:
        label = by_rules(settings.teacher, s, config, mask, rng, scratch)
        if policy == TEACHER:
            played = label
            if uniform(rng) < settings.noise:
                played = random_legal(mask, rng)
        for k in range(legals):
            if window.legal[at, k] == label:
                place = k
    window.chosen[at] = place
    window.log_prob[at] = np.log(max(logits[place], np.float32(1e-30)))
    return played


@lean_kernel
def by_rules(policy, s, config, mask, rng, scratch):
    """The action of a compiled policy."""
    if policy == RANDOM:
        return random_legal(mask, rng)
    return int(choose(policy, s, config, mask, rng, scratch[0]))


@kernel
def work_space(network, plan, mask):
    """Arrays for `by_network` and `take_sample`: rows that are on, layers, logits, legal actions, room."""
    return (
        np.empty(plan.sizes[2], np.int32),
        np.empty((network.dense.shape[0] + 1, network.first.shape[1]), np.float32),
        np.empty(mask.shape[1], np.float32),
        np.empty(mask.shape[1], np.int32),
        np.empty(room_for(network, plan), np.int32),
    )


@lean_kernel
def by_network(network, plan, seen, mask, space, rng, temperature):
    """The action of a network: sampled by probability, or the most likely one if the temperature is 0."""
    rows, layers, logits, actions, room = space
    run_body(network, rows, rows_on(seen, plan, rows, room), layers, room)
    h = layers[network.dense.shape[0]]
    legals = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            logits[legals] = logit_of(network, h, action, card_row(seen, plan, action))
            actions[legals] = action
            legals += 1
    if temperature > 0.0:
        softmax(logits, legals)
        return int(actions[sampled(logits, legals, rng)])
    return int(actions[greatest(logits, legals)])


@lean_kernel
def uniform(rng):
    """A number from [0, 1)."""
    return (draw(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@lean_kernel
def sampled(probabilities, count, rng):
    """A place drawn by probability."""
    ticket = uniform(rng)
    for k in range(count):
        ticket -= probabilities[k]
        if ticket < 0.0:
            return k
    return count - 1


@kernel
def score(s, config, seat, players, settings, targets):
    """Write the targets of a finished game (HEADS,) as the seat sees them: itself first, then the seats after it.

    The utility is made of the reward for the rank and of the lead in points over the best of the others, relative to
    both; a truncated game takes `truncation` off everybody's.
    """
    targets[:] = 0.0
    places = np.empty(MAX_SEATS, np.int8)
    ranks(s, config, places)
    scored = np.empty(MAX_SEATS, np.float32)
    for other in range(players):
        scored[other] = points(s, config, other)
    for k in range(players):
        other = (seat + k) % players
        reward = rank_reward(places, players, other, RANK)
        value = utility(reward, scored, players, other, settings.margin)
        if s.truncated != 0:
            value -= settings.truncation
        targets[k] = value
        targets[MAX_SEATS + k] = progress(s, config, other)
        targets[2 * MAX_SEATS + k] = reward


@entry_point
def play_to_the_end(matches, stage, learner, rival, plan, room, results, lo, hi):
    """Play the matches lo..hi-1 to the end, see `play_window`; no seat is TEACHER.

    `results`: int32 (n, 2 * MAX_SEATS + 2), points and ranks by seat, whether the game was truncated, decisions.
    """
    games, configs, rng, lineups = matches
    work, seen, mask, scratch = room
    config = configs[0]
    temperature = stage[0].temperature
    space = work_space(learner, plan, mask)
    rival_space = work_space(rival, plan, mask)
    places = np.empty(MAX_SEATS, np.int8)
    for i in range(lo, hi):
        while games[i].over == 0:
            s = games[i]
            seat = int(s.seat)
            mask[0, :] = 0
            legal(s, config, mask[0])
            policy = int(lineups[i, seat])
            if policy >= RANDOM:
                action = by_rules(policy, s, config, mask[0], rng[i], scratch)
            else:
                observe(s, config, seat, work[0])
                if policy == LEARNER:
                    action = by_network(learner, plan, seen[0], mask[0], space, rng[i], temperature)
                else:
                    action = by_network(rival, plan, seen[0], mask[0], rival_space, rng[i], temperature)
            s.decisions += 1
            apply(s, config, action)
        ranks(games[i], config, places)
        for seat in range(int(config.players)):
            results[i, seat] = points(games[i], config, seat)
            results[i, MAX_SEATS + seat] = places[seat]
        results[i, 2 * MAX_SEATS] = games[i].truncated
        results[i, 2 * MAX_SEATS + 1] = games[i].decisions

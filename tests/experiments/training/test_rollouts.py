"""Windows of play and whole games of a network, replayed decision by decision through `Batch` and `Policy`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.accumulator import WHOLE
from bdgame_env.agents.networks.forward import card_row, rows_on
from bdgame_env.agents.networks.network import POINTS, RANK, UTILITY, view
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.agents.registry import make_agent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.codes import RANDOM
from bdgame_env.engine.game import MAX_SEATS, Game
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.experiments.training.codes import (
    DECISIONS,
    FINAL,
    GAMES,
    LEARNER,
    NO_ADVICE,
    OPEN,
    PLAYED,
    RIVAL,
    TEACHER,
    TRUNCATED,
)
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.rollouts import Matches, WindowPlayer
from bdgame_env.experiments.training.samples import Window, new_window
from bdgame_env.experiments.training.stage import stage_of
from tests.support import nim_game
from tests.support.windows import Played, play_window, random_weights, stage

pytestmark = pytest.mark.slow

HEURISTIC = 1
GAME_IDS = ("bdgame-v3", "nicodemus-v2")  # the loops of each game take long to compile
CASES = [(game_id, players) for game_id in GAME_IDS for players in sorted({*get_game(game_id).seats})]
LINEUPS = {
    "itself": ((LEARNER,) * MAX_SEATS, {}),
    "others": ((LEARNER, RIVAL, HEURISTIC, LEARNER), {"segment": 7}),
    "teacher": ((TEACHER, TEACHER, RIVAL, HEURISTIC), {"teacher": HEURISTIC, "segment": 1000}),
}


def as_policy(made: Played, network: Any) -> Policy:
    """A network of a window as a policy, which computes the same in another loop."""
    weights = np.concatenate([part.ravel() for part in network])
    return Policy(made.plan, weights, network.width, network.layers, {})


def batch_from(game: Game, records: Any, **options: Any) -> Batch:
    """A batch that goes on from these records."""
    batch = Batch(game, len(records), seed=0, threads=1, **options)
    batch._games[:] = records
    batch._seat[:] = records["seat"]
    loops_of(game).look_games(batch._games, batch.config.record, batch._obs, batch._mask, 0, len(records))
    return batch


class Replay:
    """Follows the matches of a window decision by decision, and checks every sample on the way."""

    def __init__(self, game: Game, players: int, made: Played, steps: int, options: dict[str, Any], play: Any) -> None:
        self.made, self.steps, self.play, self.players = made, steps, play, players
        self.batch = batch_from(game, made.started, players=players, **options)
        self.learner, self.rival = as_policy(made, made.learner), PolicyAgent(as_policy(made, made.rival))
        self.heuristic = make_agent("heuristic", game, self.batch.config)
        self.at = [match * steps for match in range(self.batch.num_games)]
        self.last: list[dict[int, int]] = [{} for _ in self.at]
        self.rows: list[dict[int, Counter[int]]] = [{} for _ in self.at]
        self.unfinished: set[int] = set()
        self.found: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        """Replay the whole window, and return what was met how often."""
        while any(self._open(match) for match in range(self.batch.num_games)):
            self._step()
        for match in range(self.batch.num_games):
            for sample in self.last[match].values():
                assert self.made.window.next[sample] == OPEN
        return self.found

    def _open(self, match: int) -> bool:
        return self.at[match] < (match + 1) * self.steps

    def _step(self) -> None:
        batch, window, lineups = self.batch, self.made.window, self.made.matches.lineups
        logits, heads = self.learner.evaluate(batch.obs, batch.mask)
        advised = self.heuristic.act(batch.obs, batch.mask.copy(), batch.states.copy())
        rival = self.rival.act(batch.obs, batch.mask)
        actions, going = np.zeros(batch.num_games, np.int32), []
        for match in range(batch.num_games):
            legal = np.flatnonzero(batch.mask[match])
            actions[match] = legal[0]
            if not self._open(match):
                continue  # this match has left the window
            going.append(match)
            seat = int(batch.seat[match])
            policy = int(lineups[match, seat])
            self.found["decisions"] += 1
            if len(legal) == 1:
                self.found["forced"] += 1
            elif policy == RIVAL:
                actions[match] = rival[match]
            elif policy >= RANDOM:
                assert policy == HEURISTIC
                actions[match] = advised[match]
            else:
                sample = self.at[match]
                self._check(sample, match, seat, legal, logits[match], heads[match])
                actions[match] = window.legal[sample, window.chosen[sample]]
                if policy == TEACHER:
                    assert actions[match] == advised[match], "the teacher's label"
                self.at[match] += 1
        batch.step(actions)
        for match in going:
            if batch.done[match]:
                self._check_end(match)

    def _check_rows(self, sample: int, match: int, seat: int, wanted: Any) -> None:
        """The rows that are on follow from those of the seat's last sample in the same segment."""
        window, known = self.made.window, self.rows[match]
        begins = (sample - match * self.steps) % max(1, int(self.play["segment"][0])) == 0
        assert window.begins[sample] == begins and window.seats[sample] == seat
        if begins:
            known.clear()
        added, removed = int(window.rows_on[sample]), int(window.rows_off[sample])
        now = Counter(window.rows[sample, :added].tolist())
        if removed == WHOLE:
            assert np.array_equal(window.rows[sample, :added], wanted)
        else:
            self.found["followed"] += 1
            gone = Counter(window.rows[sample, added : added + removed].tolist())
            now.update(known[seat])
            now.subtract(gone)
            assert now == Counter(wanted.tolist())
        known[seat] = +now

    def _check(self, sample: int, match: int, seat: int, legal: Any, logits: Any, heads: Any) -> None:
        window, plan, seen = self.made.window, self.made.plan, self.batch.obs[match]
        self.found["samples"] += 1
        assert len(legal) >= 2 and window.legals[sample] == len(legal)
        assert np.array_equal(window.legal[sample, : len(legal)], legal)
        assert list(window.cards[sample, : len(legal)]) == [card_row(seen, plan, int(action)) for action in legal]
        rows = np.zeros(plan.capacity, np.int32)
        count = rows_on(seen, plan, rows, np.zeros(len(seen) + 1, np.int32))
        self._check_rows(sample, match, seat, rows[:count])
        np.testing.assert_allclose(window.values[sample], heads, rtol=1e-4, atol=1e-5)
        assert 0 <= window.chosen[sample] < len(legal)
        wanted = logits[legal].astype(float)
        wanted -= wanted.max()
        wanted -= np.log(np.exp(wanted).sum())
        assert window.log_prob[sample] == pytest.approx(wanted[window.chosen[sample]], abs=1e-4)
        if seat in self.last[match]:
            assert window.next[self.last[match][seat]] == sample
            self.found["chained"] += 1
        self.last[match][seat] = sample

    def _check_end(self, match: int) -> None:
        batch, window, players = self.batch, self.made.window, self.players
        points, truncated = batch.finals[match, :players], batch.done[match] == 2
        self.found["games"] += 1
        self.found["truncated"] += int(truncated)
        self.found["length"] += int(batch.finals[match, -1])
        utilities = [self._utility(match, seat, points, truncated) for seat in range(players)]
        for seat, sample in self.last[match].items():
            assert window.next[sample] == FINAL
            targets = window.targets[sample]
            order = [(seat + k) % players for k in range(players)]
            rewards = targets[RANK : RANK + players]
            np.testing.assert_allclose(rewards, batch.rewards[match][order], atol=1e-6)
            assert abs(rewards.sum()) < 1e-5, "rank rewards add up to 0"
            np.testing.assert_allclose(targets[UTILITY : UTILITY + players], [utilities[k] for k in order], atol=1e-5)
            for first in (UTILITY, POINTS, RANK):
                assert not targets[first + players : first + MAX_SEATS].any(), "seats that are not in the game"
            self.found["finals"] += 1
        self.last[match] = {}

    def _utility(self, match: int, seat: int, points: Any, truncated: bool) -> float:
        margin = float(self.play["margin"][0])
        best = max(int(points[other]) for other in range(self.players) if other != seat)
        own = int(points[seat])
        lead = np.clip(2 * (own - best) / max(10, abs(own) + abs(best)), -1, 1)
        penalty = float(self.play["truncation"][0]) if truncated else 0.0
        return (1 - margin) * float(self.batch.rewards[match, seat]) + margin * float(lead) - penalty


@pytest.mark.parametrize("lineup", LINEUPS)
@pytest.mark.parametrize(("game_id", "players"), CASES)
def test_every_sample_is_what_was_to_decide(game_id: str, players: int, lineup: str) -> None:
    game = get_game(game_id)
    short = lineup != "teacher" and "max_rounds" in game.options  # random networks would go on for long
    who, play = LINEUPS[lineup]
    options = {"max_rounds": 6} if short else {}
    play = {"margin": 0.3, "truncation": 0.25, **play}
    steps = 250 if short else 400
    config = game.config(players=players, **options)
    made = play_window(game, config, 6, steps, seed=players, threads=2, lineup=who[:players], **play)
    found = Replay(game, players, made, steps, options, stage(**play)).run()
    assert (found["followed"] > 0) == ("segment" in play)
    assert found["samples"] == 6 * steps and found["chained"] and found["finals"]
    assert short or found["truncated"] < found["games"], "no game came to its own end"
    assert made.counts[PLAYED] == found["decisions"]
    assert made.counts[GAMES] == found["games"] and made.counts[TRUNCATED] == found["truncated"]
    assert made.counts[DECISIONS] == found["length"]


def test_forced_moves_are_not_recorded() -> None:
    game, steps = nim_game.GAME, 30  # whoever faces one stone must take it
    made = play_window(game, game.config(), 4, steps, layers=0)
    window, forced = made.window, int(made.counts[PLAYED]) - 4 * steps
    assert (window.legals >= 2).all() and 0 < forced <= made.counts[GAMES] + 4


def test_a_window_is_the_same_with_any_number_of_threads() -> None:
    game = get_game("nicodemus-v2")
    one, two = (play_window(game, game.config(), 6, 20, threads=threads) for threads in (1, 2))
    assert all(map(np.array_equal, one.window, two.window))
    assert np.array_equal(one.matches.games, two.matches.games)


def test_teachers_label_what_the_learner_plays() -> None:
    game = get_game("nicodemus-v2")
    config = game.config(players=2)
    asked, free = (play_window(game, config, 8, 40, seed=1, teacher=teacher) for teacher in (HEURISTIC, RANDOM))
    first = np.arange(8) * 40  # until then both have played the same, so only the label may differ
    one, other = asked.window, free.window
    assert np.array_equal(one.rows[first], other.rows[first]) and np.array_equal(one.values[first], other.values[first])
    assert (one.chosen != other.chosen).any()
    assert np.array_equal(asked.matches.games["rng"], free.matches.games["rng"]), "the learner played otherwise"
    assert np.array_equal(one.rows, other.rows) and np.array_equal(one.next, other.next)


def test_networks_teach_in_turn() -> None:
    """The label of a match is the likeliest action of its network, whether that plays or the learner does."""
    game, steps, count = nim_game.GAME, 20, 6
    config = game.config()
    made = play_window(game, config, count, steps, layers=0, seed=3, lineup=(TEACHER, LEARNER))
    weights = [random_weights(made.plan, made.learner.width, 0, seed) for seed in (5, 11)]
    teachers = [view(one, made.plan, made.learner.width, 0) for one in weights]
    matches = Matches(game, config, count, 3, 2)
    matches.lineups[:, :2] = TEACHER, LEARNER
    started = matches.games.copy()
    matches.play_window(made.window, steps, stage(teacher=RIVAL), made.learner, teachers, made.plan, first=1)
    batch = batch_from(game, started)
    labels = [PolicyAgent(as_policy(made, teacher)).act(batch.obs, batch.mask) for teacher in teachers]
    window, first = made.window, np.arange(count) * steps
    wanted = np.where((1 + np.arange(count)) % 2, labels[1], labels[0])
    assert np.array_equal(window.legal[first, window.chosen[first]], wanted) and (labels[0] != labels[1]).all()


def test_noise_leaves_the_label() -> None:
    game = get_game("nicodemus-v2")
    config, who, steps = game.config(players=2), (TEACHER, TEACHER), 30
    plain, noisy = (
        play_window(game, config, 8, steps, seed=1, lineup=who, teacher=HEURISTIC, noise=noise) for noise in (0.0, 1.0)
    )
    first = np.arange(8) * steps
    assert np.array_equal(plain.window.chosen[first], noisy.window.chosen[first])
    assert not np.array_equal(plain.window.rows, noisy.window.rows), "noise changes what is played"


def test_samples_follow_the_policy() -> None:
    """Nim's first decision has one position, so the frequencies of its actions are the policy's probabilities."""
    game, count = nim_game.GAME, 4000
    made = play_window(game, game.config(), count, 1, width=4, layers=0, seed=3)
    window = made.window
    assert (window.legals == 3).all() and (window.rows == window.rows[0]).all()
    frequencies = np.bincount(window.chosen, minlength=3) / count
    probabilities = [np.exp(window.log_prob[window.chosen == place][0]) for place in range(3)]
    assert sum(probabilities) == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(frequencies, probabilities, atol=0.03)


def test_the_samples_of_the_next_window_go_on() -> None:
    game = nim_game.GAME
    whole = play_window(game, game.config(), 4, 20, seed=2)
    matches = Matches(game, game.config(), 4, 2, 1)
    made = play_window(game, game.config(), 4, 10, seed=2)
    window = made.window
    parts = []
    for _ in range(2):
        matches.play_window(window, 10, stage(), made.learner, [made.rival], made.plan)
        parts.append([part.reshape(4, 10, -1).copy() for part in (window.values, window.chosen)])
    values, chosen = (np.concatenate(both, axis=1) for both in zip(*parts, strict=True))
    assert np.array_equal(chosen.ravel(), whole.window.chosen)
    assert np.array_equal(values.ravel(), whole.window.values.ravel())


def test_parts_played_elsewhere_make_the_window_of_one_process() -> None:
    """As workers of a cluster do: states go there, states and samples come back, in few bytes."""
    game, steps, count, size = get_game("nicodemus-v2"), 6, 4, 2
    config = TrainConfig(game.id, matches=count, steps=steps, width=4, layers=0, search_every=4, search_sims=2)
    player = WindowPlayer(game, config, 1)
    learner, *rivals = (view(random_weights(player.plan, 4, 0, seed), player.plan, 4, 0) for seed in range(1, 5))
    settings = stage_of(config, 0.5, update=3, teacher=0)

    def room(matches: int, seed: int = 0) -> tuple[Matches, Window]:
        made = Matches(game, player.game_configs[0], matches, seed, 1)
        made.lineups[1::2, 1] = RIVAL
        return made, new_window(player.plan, matches * steps, searches=True)

    (here, whole), (spread, joined) = room(count), room(count)
    player.fill(whole, [here], settings, learner, rivals)
    for lo in range(0, count, size):
        there, samples = room(size, seed=9)
        there.unpack(spread.packed(lo, lo + size), 0, size)
        player.play(samples, there, 0, settings, learner, rivals, first=lo)
        spread.unpack(there.packed(0, size), lo, lo + size)
        packed = samples.packed()
        assert len(packed) * 5 < sum(values.nbytes for values in samples)
        joined.part(lo * steps, (lo + size) * steps).unpack(packed)
    assert np.array_equal(here.games, spread.games) and np.array_equal(here.rng, spread.rng)
    kept = whole.next != OPEN
    assert np.array_equal(kept, joined.next != OPEN) and 0 < whole.searched[kept].sum() < kept.sum() < len(kept)
    for name in set(Window._fields) - {"next", "values"}:
        assert np.array_equal(getattr(whole, name)[kept], getattr(joined, name)[kept]), name


def test_positions_are_kept_for_searches() -> None:
    """Of the learner's own samples every third one in the window; the state is that of the sample's position."""
    game, steps = get_game("nicodemus-v2"), 30
    config = game.config(players=2)
    made = play_window(game, config, 6, steps, lineup=(LEARNER, TEACHER), teacher=HEURISTIC, search_every=3, threads=2)
    plain = play_window(game, config, 6, steps, lineup=(LEARNER, TEACHER), teacher=HEURISTIC)
    window, searched = made.window, np.flatnonzero(made.window.searched)
    assert not plain.window.searched.any() and np.array_equal(window.rows, plain.window.rows), (
        "it changes what is played"
    )
    assert (searched % 3 == 2).all() and 0 < len(searched) < len(window.searched) // 3
    seen, mask = np.zeros(1, game.obs), np.zeros(config.num_actions, np.int8)
    rows, found = np.zeros(made.plan.capacity, np.int32), np.zeros(game.obs.itemsize + 1, np.int32)
    for at in searched:
        state = made.matches.asked[at // 3]
        mask[:] = 0
        game.rules.legal(state, config.record[0], mask)
        assert np.array_equal(np.flatnonzero(mask), window.legal[at, : window.legals[at]])
        game.rules.observe(state, config.record[0], int(state["seat"]), seen[0])
        count = rows_on(seen.view(np.int8), made.plan, rows, found)
        assert np.array_equal(rows[:count], window.rows[at, : window.rows_on[at]])


def test_the_teacher_advises_the_learner() -> None:
    """In one of so many decisions; what is played stays the same, as this teacher has no use for chance."""
    game, every = get_game("nicodemus-v2"), 3
    config = game.config(players=2)
    advised, plain = (
        play_window(game, config, 6, 30, lineup=(LEARNER, RIVAL), adviser=adviser, advice_every=every, threads=2)
        for adviser in (HEURISTIC, 0)
    )
    window, asked = advised.window, np.flatnonzero(advised.window.advised != NO_ADVICE)
    assert (plain.window.advised == NO_ADVICE).all() and np.array_equal(window.rows, plain.window.rows)
    assert len(window.advised) / 6 < len(asked) < len(window.advised) / 2
    assert (window.advised[asked] < window.legals[asked]).all()
    imitated = play_window(game, config, 1, 1, lineup=(LEARNER, RIVAL), teacher=HEURISTIC).window
    again = play_window(game, config, 1, 1, lineup=(LEARNER, RIVAL), adviser=HEURISTIC, advice_every=1).window
    assert again.advised[0] == imitated.chosen[0]


# --- whole games


def replayed(batch: Batch, lineups: Any, agents: dict[int, Callable[..., Any]]) -> Iterator[tuple[int, Any]]:
    """The matches as they end, with `Batch.finals` and whether they were truncated."""
    done: set[int] = set()
    while len(done) < batch.num_games:
        actions = {code: act(batch.obs, batch.mask.copy(), batch.states.copy()) for code, act in agents.items()}
        who = [int(lineups[match, batch.seat[match]]) for match in range(batch.num_games)]
        batch.step([int(actions[code][match]) for match, code in enumerate(who)])
        for match in set(np.flatnonzero(batch.done)) - done:
            done.add(match)
            yield int(match), (batch.finals[match].copy(), batch.done[match] == 2)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_games_end_as_in_a_batch(game_id: str) -> None:
    game = get_game(game_id)
    options = {"max_rounds": 25} if "max_rounds" in game.options else {}
    players, count, width, layers = game.seats[1], 6, 16, 1
    config = game.config(players=players, **options)
    plan = plan_network(game, config)
    weights = [random_weights(plan, width, layers, seed) for seed in (1, 2)]
    policies = [Policy(plan, one, width, layers, {}) for one in weights]
    learner, rival = (view(one, plan, width, layers) for one in weights)
    matches = Matches(game, config, count, 11, 2)
    for match in range(count):
        matches.lineups[match, :players] = np.roll((LEARNER, HEURISTIC, RIVAL, HEURISTIC)[:players], match)
    matches.lineups[0] = HEURISTIC
    batch = batch_from(game, matches.games.copy(), players=players, **options)
    results = matches.play_to_the_end(stage(), learner, rival, plan)
    agents = {LEARNER: PolicyAgent(policies[0]).act, RIVAL: PolicyAgent(policies[1]).act}
    agents[HEURISTIC] = make_agent("heuristic", game, config).act
    for match, (finals, truncated) in replayed(batch, matches.lineups, agents):
        points, places = results[match, :MAX_SEATS], results[match, MAX_SEATS : 2 * MAX_SEATS]
        assert list(points[:players]) == list(finals[:players])
        assert list(places[:players]) == list(finals[players : 2 * players])
        assert not points[players:].any() and not places[players:].any()
        assert results[match, 2 * MAX_SEATS] == truncated and results[match, 2 * MAX_SEATS + 1] == finals[-1]
    assert (matches.games["over"] == 1).all()


def test_a_temperature_samples() -> None:
    game = nim_game.GAME
    plan = plan_network(game, game.config())
    network = view(np.zeros_like(random_weights(plan, 4, 0, 0)), plan, 4, 0)
    lengths = {}
    for temperature in (0.0, 1.0):
        matches = Matches(game, game.config(), 50, 1, 1)
        results = matches.play_to_the_end(stage(temperature=temperature), network, network, plan)
        lengths[temperature] = set(results[:, 2 * MAX_SEATS + 1].tolist())
    assert lengths[0.0] == {10}, "the first of equally likely actions, one stone at a time"
    assert len(lengths[1.0]) > 3

"""Agents in the children of a fork: their threads, random numbers and programs are the child's own."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.program_agent import kill_programs
from bdgame_env.engine.batch import Batch
from tests.support import toy_game as toy
from tests.support.forked import always_threads, in_fork, needs_fork
from tests.support.policies import plain_policy

pytestmark = needs_fork
__all__ = ["always_threads"]

CONFIG = toy.GAME.config()
SEARCHES = (
    "random",
    "ppo:sample=1,path={}",
    "mcts:sims=4,rollout_depth=4",
    "az:sims=4,path={}",
    "network-planner:path={}",
)


def agent_of(spec: str, folder: Path, seed: int | None) -> Agent:
    """An agent for the toy game, with a network that was not trained."""
    path = folder / "policy.npz"
    path.write_bytes(plain_policy(toy.GAME, CONFIG, scale=0.1).to_bytes())
    return make_agent(spec.format(path), toy.GAME, CONFIG, seed=seed)


def answers(agent: Agent, batch: Batch) -> list[int]:
    return [int(action) for action in agent.act(batch.obs, batch.mask.copy(), batch.states.copy())]


@pytest.mark.usefixtures("always_threads")
@pytest.mark.parametrize("game_id", list_games()[:1])
def test_compiled_players_answer_in_a_child(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BDGAME_ENV_THREADS", "2")
    batch = Batch(get_game(game_id), 2, seed=2)
    agent = make_agent("heuristic", batch.game, batch.config)
    assert in_fork(lambda: answers(agent, batch)) == answers(agent, batch)  # not asked before the fork
    assert in_fork(lambda: answers(agent, batch)) == answers(agent, batch)


@pytest.mark.usefixtures("always_threads")
@pytest.mark.parametrize("spec", SEARCHES)
def test_agents_answer_alike_in_a_child(spec: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With threads, seeded: one that was asked before the fork, and one made in the child."""
    monkeypatch.setenv("BDGAME_ENV_THREADS", "2")
    batch = Batch(toy.GAME, 4, seed=2)
    agent = agent_of(spec, tmp_path, 3)
    first = answers(agent, batch)
    assert in_fork(lambda: answers(agent_of(spec, tmp_path, 3), batch)) == first
    assert in_fork(lambda: answers(agent, batch)) == answers(agent, batch)


@pytest.mark.parametrize("spec", SEARCHES)
def test_agents_without_a_seed_draw_for_themselves_in_each_child(spec: str, tmp_path: Path) -> None:
    """Seen in the agent's generator, since small searches may decide alike by other numbers."""
    batch = Batch(toy.GAME, 4, seed=2)
    agent = agent_of(spec, tmp_path, None)
    answers(agent, batch)

    def drawn() -> bytes:
        answers(agent, batch)
        rng = agent._rng  # type: ignore[attr-defined]
        return bytes(rng["rng"].tobytes()) if isinstance(rng, np.ndarray) else bytes(rng().bytes(16))

    assert len({in_fork(drawn), in_fork(drawn), drawn()}) == 3


COUNTS = """
import json, os, sys
for asked, line in enumerate(sys.stdin):
    word, _, rest = line.partition(' ')
    if word == 'hello': print('hello 1', flush=True)
    if word == 'position':
        print(f'{os.getpid()} {asked}', file=open(sys.argv[1], 'a'))
        print(json.loads(rest)['legal'][0], flush=True)
"""


def test_a_child_asks_a_program_of_its_own(tmp_path: Path) -> None:
    """The parent's is neither asked, nor stopped when the child stops its agents or ends, and sees its input end."""
    (tmp_path / "bot.py").write_text(COUNTS)
    log = tmp_path / "log"
    batch = Batch(toy.GAME, 1, seed=1)
    spec = f"program:{shlex.join([sys.executable, str(tmp_path / 'bot.py'), str(log)])}"
    with closing(make_agent(spec, batch.game, batch.config)) as agent:
        first = answers(agent, batch)

        def in_child() -> list[int]:
            agent.seed(4)
            found = answers(agent, batch)
            agent.close()
            agent.close()
            kill_programs()
            return found

        assert in_fork(in_child) == first
        assert in_fork(agent.close) is None  # without a question
        assert in_fork(kill_programs) is None
        assert answers(agent, batch) == first
    asked = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
    (parent, _), (child, _), (again, _) = asked
    assert parent == again != child and [number for _, number in asked] == [2, 2, 3]
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_child_may_start_a_program_while_its_parent_starts_one(tmp_path: Path) -> None:
    """The lock of the parent's thread is not the child's."""
    from bdgame_env.agents import program_agent

    (tmp_path / "bot.py").write_text(COUNTS)
    batch = Batch(toy.GAME, 1, seed=1)
    spec = f"program:{shlex.join([sys.executable, str(tmp_path / 'bot.py'), str(tmp_path / 'log')])}"

    def asks() -> int:
        with closing(make_agent(spec, batch.game, batch.config)) as agent:
            return len(answers(agent, batch))

    with program_agent._starting:
        assert in_fork(asks, seconds=20) == 1

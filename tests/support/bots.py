"""Agents to be named by import path in the tests of tournaments: sound ones, and ones with one fault each."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import numpy as np

from bdgame_env.agents import Agent
from bdgame_env.engine.game import Game, GameConfig


class First(Agent):
    """Always takes the legal action with the lowest id."""

    def __init__(self, game: Game, config: GameConfig, *, games_at_once: int = 256, log: str = "") -> None:
        self.games_at_once = games_at_once
        self.asked = 0
        self.log = log

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        self.asked += 1
        return mask.argmax(1).astype(np.int32)


class Drawn(First):
    """Plays at random, with its own generator."""

    def seed(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return (self.rng.random(mask.shape) * mask).argmax(1)


class Dreams(First):
    """Chooses by what it is told of hidden cards, which are drawn anew for it in each decision."""

    needs_states = True

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        sums = (states["deck"] * np.arange(states["deck"].shape[1])).sum(1)
        legal = [np.flatnonzero(row) for row in mask]
        return np.array([row[total % len(row)] for row, total in zip(legal, sums, strict=True)])


def last_legal(observation: Any, mask: Any) -> Any:
    """A function of observation and mask."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


class Slow(First):
    """Takes its time, and writes a line for each call if it has a log."""

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        if self.log:
            with open(self.log, "a") as file:  # noqa: PTH123
                file.write(f"{os.getpid()}\n")
        time.sleep(0.02)
        return super().act(observation, mask, states)


class Crashes(First):
    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        raise RuntimeError("lost my way")


class Illegal(First):
    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return mask.argmin(1)


class Hangs(First):
    """Hangs in its third call."""

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        if self.asked == 2:
            time.sleep(1000)
        return super().act(observation, mask, states)


class Exits(First):
    """Takes its process down when it may keep or swap a card, in seat 1 only."""

    needs_states = True
    code = 3

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        if ((states["seat"] == 1) & (states["round_number"] == 2)).any():
            os._exit(self.code)
        return super().act(observation, mask)


class ExitsAsIfAllWereWell(Exits):
    code = 0


class Segfaults(First):
    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        os.kill(os.getpid(), signal.SIGSEGV)
        return super().act(observation, mask, states)


class ExitsWhenSeeded(First):
    def seed(self, seed: int) -> None:
        os._exit(5)


class FailsWhenSeeded(First):
    def seed(self, seed: int) -> None:
        raise RuntimeError("no luck")


def not_an_agent(game: Game, config: GameConfig) -> int:
    return 3


def fails(game: Game, config: GameConfig) -> Agent:
    raise RuntimeError("no\nmodel")


class Eats(First):
    """Takes memory without end in its third call."""

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        if self.asked == 2:
            eaten = []
            while True:
                eaten.append(np.ones(2**23))
        return super().act(observation, mask, states)


class KillsItsParent(First):
    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(10)
        return super().act(observation, mask, states)

"""A program as an agent, asked line by line on its standard input; the lines are described in docs/protocol.md."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import tempfile
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from bdgame_env.core.game import Box, Game

from .base import Actions, Agent, AgentFault, Masks, Observations, UnknownAgent

PROTOCOL = 1
LONGEST_LINE = 10_000
SECONDS = 600.0  # to answer, where a tournament sets no limit of its own
_GOODBYE_SECONDS = 0.5
_SHOWN = 60


class ProgramAgent(Agent):
    """Asks a program for each move. It is started when it is first asked, and anew after it was at fault.

    It is shown the snapshot of the position as its seat may see it, and the legal moves: nothing that its seat cannot
    see is in the records that these are made from.

    Args:
        game: the game.
        box: its box.
        command: program and arguments, split as a shell does, but run without one.
        seconds: in which it has to answer.

    Raises:
        UnknownAgent: the command is empty or there is no such program.
    """

    name = "program"
    needs_states = True
    games_at_once = 8

    def __init__(self, game: Game, box: Box, command: str = "", seconds: float = SECONDS) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise UnknownAgent(f"agent 'program:{command}': {error}") from None
        if not self._command:
            raise UnknownAgent("agent 'program': needs a command: 'program:COMMAND ...'")
        if shutil.which(self._command[0]) is None:
            raise UnknownAgent(f"agent 'program:{command}': there is no program {self._command[0]!r}")
        self._game, self._box, self._seconds = game, box, seconds
        self._names, self._actions = game.notation(box)
        self._seed = 0
        self._program: _Program | None = None

    def seed(self, seed: int) -> None:
        """Fix the agent's own luck; the program is told, and may use it."""
        self._seed = seed % 2**53  # what JSON numbers hold in every language
        if self._program is not None:
            with suppress(AgentFault):  # shows when it is asked
                self._program.tell("seed", self._seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`.

        Raises:
            AgentFault: the program ended, gave no answer in time, or one that is no move.
        """
        if states is None:
            raise ValueError(f"the agent {self.name!r} needs states")
        return np.array([self._move(row, state) for row, state in zip(mask, states, strict=True)], np.int32)

    def close(self) -> None:
        """End the program."""
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _move(self, mask: npt.NDArray[np.int8], state: Any) -> int:
        legal = [self._names[action] for action in np.flatnonzero(mask)]
        seat = int(state["seat"])
        position = {"seat": seat, "snapshot": self._game.snapshot(state, self._box, False, seat), "legal": legal}
        try:
            program = self._program or self._start()
            program.expect_silence()
            program.tell("position", position)
            answer = program.answer(self._seconds)
            if answer not in self._actions:
                raise AgentFault(f"answered {_shown(answer)}, which is no move")
        except AgentFault:
            self.close()
            raise
        return self._actions[answer]

    def _start(self) -> _Program:
        program = self._program = _Program(self._command)
        hello = {
            "protocol": PROTOCOL,
            "game": self._game.id,
            "players": self._box.players,
            "options": dict(self._box.options),
        }
        program.tell("hello", hello)
        answer = program.answer(self._seconds)
        if answer != f"hello {PROTOCOL}":
            raise AgentFault(f"greeted with {_shown(answer)}, not 'hello {PROTOCOL}'")
        program.tell("seed", self._seed)
        return program


class _Program:
    """A running program: one line in, one line out."""

    def __init__(self, command: list[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `end`)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._errors)
        except OSError as error:
            self._errors.close()
            raise AgentFault(f"did not start: {error}") from None
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        assert self._process.stdout is not None
        Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()

    def tell(self, word: str, content: Any) -> None:
        """Send one line.

        Raises:
            AgentFault: it has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{word} {json.dumps(content, separators=(',', ':'))}\n".encode())
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise AgentFault(self._ending()) from None

    def expect_silence(self) -> None:
        """See that it has not said more than it was asked.

        Raises:
            AgentFault: it has, or it has ended.
        """
        if not self._lines.empty():
            line = self._lines.get()
            raise AgentFault(
                f"sent {_shown(line.decode(errors='replace').strip())} unasked" if line else self._ending()
            )

    def answer(self, seconds: float) -> str:
        """Its next line, without blanks around it.

        Raises:
            AgentFault: it ended, took too long, or sent too much.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise AgentFault(f"gave no answer in {seconds:g} s") from None
        if not line:
            raise AgentFault(self._ending())
        if not line.endswith(b"\n"):
            raise AgentFault(f"sent a line of more than {LONGEST_LINE} bytes, or one without an end")
        return line.decode(errors="replace").strip()

    def end(self) -> None:
        """Ask it to end, and kill it if it does not."""
        with suppress(AgentFault):
            self.tell("quit", None)
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _ending(self) -> str:
        """How it ended, with the last line that it wrote to its standard error."""
        try:
            code = self._process.wait(_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._errors.seek(0)
        lines = self._errors.read()[-LONGEST_LINE:].decode(errors="replace").strip().splitlines()
        return f"ended with exit code {code}" + (f": {lines[-1]}" if lines else "")


def _read(output: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Hand on lines until there are no more; the last is empty."""
    with suppress(OSError, ValueError), output:
        while line := output.readline(LONGEST_LINE):
            lines.put(line)
            if not line.endswith(b"\n"):
                break
    lines.put(b"")


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")

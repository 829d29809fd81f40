"""A program as an agent, asked line by line on its standard input; docs/program_agents.md describes the protocol."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.arguments import LARGEST_SEED, whole
from bdgame_env.engine.forks import after_fork
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import cut, shown

from .base import Actions, Agent, AgentFault, Masks, Observations, UnknownAgent

PROTOCOL = 1
LONGEST_LINE = 10_000
SECONDS = 600.0  # to answer, if a tournament sets no limit
MEMORY = "memory="  # prefix of the command: memory limit of each of its processes, in MB
_MOST_MEMORY = 1 << 20
_GOODBYE_SECONDS = 0.5
_READING_SECONDS = 10.0  # for the program to read what it was sent
_LISTENING_SECONDS = 0.1
_POLL_SECONDS = 0.005
_UNREAD_LINES = 16  # one is already a fault
# Run by a new interpreter, which then becomes the program, so that no Python code runs between fork and exec here.
_LIMITED = """
import os, resource, sys
most = int(sys.argv[1])
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
most = most if hard == resource.RLIM_INFINITY else min(most, hard)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    os.execvp(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(f"{sys.argv[2]}: {error.strerror}")
"""


class ProgramAgent(Agent):
    """Asks a program for each move. The program is started for its first move, and restarted after a fault.
    In the child of a fork it is another one.

    It is sent the snapshot of the position as its seat sees it, and the legal moves. The records that these are made
    from are determinized, so they hold nothing that the seat cannot see.

    Args:
        game: the game.
        config: its config.
        command: program and arguments, split as by a shell, but run without one. The prefix "memory=MB" limits the
            address space of each of its processes.
        seconds: time limit for an answer.

    Raises:
        UnknownAgent: the command is empty, the program does not exist, or the limit is not valid.
    """

    name = "program"
    needs_states = True
    games_at_once = 8

    def __init__(self, game: Game, config: GameConfig, command: str = "", seconds: float = SECONDS) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise UnknownAgent(f"agent 'program:{cut(command)}': {error}") from None
        limit = self._command.pop(0).removeprefix(MEMORY) if command.lstrip().startswith(MEMORY) else None
        if not self._command:
            raise UnknownAgent("agent 'program': needs a command: 'program:COMMAND ...'")
        if shutil.which(self._command[0]) is None:
            raise UnknownAgent(f"agent 'program:{cut(command)}': there is no program {shown(self._command[0])}")
        if limit is not None:
            self._command = _limited(self._command, limit)
        self._game, self._config, self._seconds = game, config, seconds
        self._seed = 0
        self._program: _Program | None = None

    def seed(self, seed: int) -> None:
        """Send the program a seed, which it may use."""
        self._seed = whole("seed", seed, 0, LARGEST_SEED) % 2**53  # the range of exact JSON integers in every language
        if self._program is not None:
            with suppress(AgentFault):  # will show when it is asked
                self._program.tell("seed", self._seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`.

        Raises:
            AgentFault: the program ended, did not answer in time, or its answer is not a move.
        """
        if states is None:
            raise ValueError(f"the agent {shown(self.name)} needs states")
        return np.array([self._move(row, state) for row, state in zip(mask, states, strict=True)], np.int32)

    def close(self) -> None:
        """End the program."""
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _move(self, mask: npt.NDArray[np.int8], state: Any) -> int:
        config, seat = self._config.of_game(state), int(state["seat"])
        names, actions = self._game.notation(config)
        legal = [names[action] for action in np.flatnonzero(mask)]
        position = {
            "seat": seat,
            "snapshot": self._game.position.snapshot(state, config, False, seat),
            "legal": legal,
        }
        try:
            program = self._program if self._program and not self._program.left else self._start()
            program.expect_silence()
            program.tell("position", position)
            answer = program.answer(self._seconds)
            if answer not in actions:
                raise AgentFault(f"answered {shown(answer)}, which is no move")
        except AgentFault:
            self.close()
            raise
        return actions[answer]

    def _start(self) -> _Program:
        program = self._program = _Program(self._command)
        hello = {
            "protocol": PROTOCOL,
            "game": self._game.id,
            "players": self._config.players,
            "options": dict(self._config.options),
        }
        program.tell("hello", hello)
        answer = program.answer(self._seconds)
        if answer != f"hello {PROTOCOL}":
            raise AgentFault(f"greeted with {shown(answer)}, not 'hello {PROTOCOL}'")
        program.tell("seed", self._seed)
        return program


def _limited(command: list[str], limit: str) -> list[str]:
    """The command, run with a memory limit.

    Raises:
        UnknownAgent: the limit is not a number of MB, or this system cannot limit memory.
    """
    fits = limit.isascii() and limit.isdecimal() and len(limit) < 9 and 1 <= int(limit) <= _MOST_MEMORY
    if not fits:
        raise UnknownAgent(f"agent 'program': {MEMORY}{cut(limit)}, must be a number of MB, 1 to {_MOST_MEMORY}")
    if find_spec("resource") is None:
        raise UnknownAgent(f"agent 'program': {MEMORY}{limit}: this system cannot limit memory")
    return [sys.executable, "-I", "-S", "-c", _LIMITED, str(int(limit) << 20), *command]


class _Program:
    """A running program: one line in, one line out.

    It runs in a new session, together with all processes that it starts. So a terminal's Ctrl-C does not reach it, and
    all of them can be killed at once.
    """

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self.left = False  # to the parent, which started it before this process was forked
        try:
            with _starting:
                self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
                _running.add(self)
        except (OSError, ValueError) as error:
            raise AgentFault(f"did not start: {error}") from None
        assert self._process.stdin is not None
        if os.name != "nt":  # a program that does not read must not block this one
            os.set_blocking(self._process.stdin.fileno(), False)
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._errors = bytearray()
        assert self._process.stdout is not None and self._process.stderr is not None
        Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()
        self._listener = Thread(target=_keep_end, args=(self._process.stderr, self._errors), daemon=True)
        self._listener.start()

    def tell(self, word: str, content: Any, seconds: float = _READING_SECONDS) -> None:
        """Send one line.

        Raises:
            AgentFault: it has ended, or does not read its input.
        """
        assert self._process.stdin is not None
        line = f"{word} {json.dumps(content, separators=(',', ':'))}\n".encode()
        until = time.monotonic() + seconds
        try:
            while line:
                with suppress(BlockingIOError):
                    line = line[os.write(self._process.stdin.fileno(), line) :]
                    continue
                if time.monotonic() > until:
                    raise AgentFault("does not read its input")
                time.sleep(_POLL_SECONDS)
        except (OSError, ValueError):
            raise AgentFault(self._ending()) from None

    def expect_silence(self) -> None:
        """Check that it has not sent an unsolicited line.

        Raises:
            AgentFault: it has, or it has ended.
        """
        if not self._lines.empty():
            line = self._lines.get()
            raise AgentFault(_unasked(line) if line else self._ending())

    def answer(self, seconds: float) -> str:
        """Its next line, stripped.

        Raises:
            AgentFault: it ended, took too long, or sent too much.
        """
        until = time.monotonic() + seconds
        line, ended = None, False
        while line is None:
            left = until - time.monotonic()
            if ended:  # earlier output would have arrived; processes that it left behind do not count
                raise AgentFault(self._ending())
            if left <= 0:
                raise AgentFault(f"gave no answer in {seconds:g} s")
            ended = self._has_ended(0)
            with suppress(Empty):
                line = self._lines.get(timeout=min(left, _LISTENING_SECONDS))
        if not line:
            raise AgentFault(self._ending())
        if not line.endswith(b"\n"):
            raise AgentFault(f"sent a line of more than {LONGEST_LINE} bytes, or one without an end")
        return line.decode(errors="replace").strip()

    def end(self) -> None:
        """Ask it to quit, and kill it if it does not."""
        with suppress(AgentFault):
            self.tell("quit", None, 0)
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._has_ended(_GOODBYE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill it and all processes that it has started."""
        if self._process.returncode is None:  # its pid, also that of its group, is not reused before `wait`
            if hasattr(os, "killpg"):
                with suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        _running.discard(self)

    def leave(self) -> None:
        """Leave it to the parent: let go of its pipes, and neither write to it nor stop it.

        The files are not closed, since the threads that read them did not come along, but may hold the files' locks.
        """
        self.left = True
        self._process.returncode = 0  # nor wait for it
        nowhere = os.open(os.devnull, os.O_RDWR)
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(ValueError):  # closed already
                os.dup2(nowhere, file.fileno(), inheritable=False)  # type: ignore[union-attr]
        os.close(nowhere)

    def _has_ended(self, seconds: float) -> bool:
        """Whether the program itself ends within this time; processes that it started may go on."""
        until = time.monotonic() + seconds
        while self._process.returncode is None:
            if hasattr(os, "waitid"):  # WNOWAIT keeps the pid reserved, so that the group can still be killed
                if os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                    return True
            elif self._process.poll() is not None:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def _ending(self) -> str:
        """How it ended, with the last line of its standard error."""
        if self._lines.qsize() > _UNREAD_LINES:  # its output was closed, from which it may have died
            return _unasked(self._lines.get())
        if not self._has_ended(_GOODBYE_SECONDS):
            return "closed its output"
        self.kill()
        self._listener.join(_GOODBYE_SECONDS)
        lines = bytes(self._errors).decode(errors="replace").strip().splitlines()
        return f"ended with exit code {self._process.returncode}" + (f": {lines[-1]}" if lines else "")


_running: set[_Program] = set()
_starting = Lock()


@atexit.register
def kill_programs() -> None:
    """Kill all programs of this process, which is about to end: no other will be started."""
    _starting.acquire()  # for good
    for program in list(_running):
        program.kill()


def _leave_programs() -> None:
    """In the child of a fork: its programs are its parent's, and what starts one there does not start it here."""
    global _starting
    _starting = Lock()
    for program in _running:
        program.leave()
    _running.clear()


after_fork(_leave_programs)


def _read(output: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Pass on lines until the output ends; the last one is empty."""
    with suppress(OSError, ValueError), output:
        while line := output.readline(LONGEST_LINE):
            lines.put(line)
            if not line.endswith(b"\n") or lines.qsize() > _UNREAD_LINES:
                break
    lines.put(b"")


def _keep_end(errors: IO[bytes], kept: bytearray) -> None:
    """Read a program's standard error as it comes, and keep the end of it."""
    with suppress(OSError, ValueError), errors:
        while part := os.read(errors.fileno(), 1 << 16):
            kept += part
            del kept[:-LONGEST_LINE]


def _unasked(line: bytes) -> str:
    return f"sent {shown(line.decode(errors='replace').strip())} unasked"

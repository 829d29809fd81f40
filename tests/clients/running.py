"""Runs a client's script: `python -m tests.clients.running CLIENT RESULTS`, with the Python that has the client.

RESULTS gets a line of JSON for the script, and one for each check, game and number of players, as soon as it is known.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time
import traceback
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.clients.checks import CHECKS, SIZES, Run
from tests.clients.installing import needs

SECONDS = 240  # for one check of one game


def outcome(run: Run, game: str, players: int) -> str:
    """ "" if the check runs through, else the last line of what went wrong."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"not done after {SECONDS} seconds")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        run(game, players)
    except BaseException as error:  # a library may end the process by SystemExit
        if isinstance(error, KeyboardInterrupt):
            raise
        traceback.print_exc()
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return f"{type(error).__name__}: {lines[-1] if lines else ''}"[:300]
    finally:
        signal.alarm(0)
    return ""


def main(client: str, results: Path) -> None:
    """Run a client's script."""
    import_module(f"tests.clients.{client}")
    named = [re.split(r"[^\w.-]", need)[0] for need in needs(client) if not need.startswith(".")]
    about = {"versions": {name: version(name) for name in named}, "python": sys.version.split()[0]}
    checks = [{"title": check.title, "glue": check.glue, "fails": check.fails} for check in CHECKS]
    with results.open("w", encoding="utf-8") as file:
        print(json.dumps({**about, "checks": checks}), file=file, flush=True)
        for number, one in enumerate(CHECKS):
            for game, players in SIZES:
                began = time.monotonic()
                error = outcome(one.run, game, players)
                seconds = round(time.monotonic() - began, 1)
                done = {"check": number, "game": game, "players": players, "error": error, "seconds": seconds}
                print(json.dumps(done), file=file, flush=True)
                print(f"{client}: {one.title}: {game} {players}: {error or 'runs'} ({seconds} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

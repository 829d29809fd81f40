"""Runs the clients and writes docs/clients.md: `python -m tests.clients [CLIENT ...]`.

Clients that are not named keep what was seen of them before. The exit status is 1 if something went otherwise than
the scripts of those that were run say. Some scripts are run on their own, and leave the page alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess

from bdgame_env.experiments.files import write_text
from tests.clients.checks import GAMES, SIZES
from tests.clients.installing import HOMES, ROOT, clients, install, programs
from tests.clients.table import Seen, page

PAGE = ROOT / "docs" / "clients.md"
HERE = {**os.environ, "PYTHONPATH": str(ROOT)}


def main() -> None:
    """Install, run, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description=__doc__)
    known = [*clients(), *programs()]
    parser.add_argument("client", nargs="*", help=f"of {', '.join(known)}; default: all of them")
    chosen = parser.parse_args().client or known
    if unknown := set(chosen) - set(known):
        parser.error(f"no client {', '.join(sorted(unknown))}; clients: {', '.join(known)}")
    surprises = []
    for client in chosen:
        try:
            python = install(client)
        except subprocess.CalledProcessError as error:
            surprises.append(f"{client}: cannot be installed ({error})")
            continue
        if client in programs():
            failed = subprocess.run(
                [python, "-m", f"tests.clients.{client}"], cwd=ROOT, env=HERE, check=False
            ).returncode
            surprises += [f"{client}: exit status {failed}"] if failed else []
            continue
        results = HOMES / client / "results.jsonl"
        results.unlink(missing_ok=True)
        command = [python, "-m", "tests.clients.running", client, results]
        subprocess.run(command, cwd=ROOT, env=HERE, check=False)
        write()
    surprises += [line for seen in everything() if seen.client in chosen for line in seen.surprises(SIZES)]
    for line in surprises:
        print(line)
    raise SystemExit(1 if surprises else 0)


def everything() -> list[Seen]:
    """What was seen of each client."""
    return [Seen.read(client, HOMES / client / "results.jsonl") for client in clients()]


def write() -> None:
    """Write the page, once every client has been tried here."""
    if missing := [seen.client for seen in everything() if not seen.about]:
        print(f"{PAGE.relative_to(ROOT)} stays as it is: not tried yet: {', '.join(missing)}", flush=True)
        return
    write_text(PAGE, page(everything(), GAMES, SIZES))
    print(f"wrote {PAGE.relative_to(ROOT)}", flush=True)


if __name__ == "__main__":
    main()

"""The command line: `bdgame`, or `python -m experiments` in a checkout."""

from __future__ import annotations

import sys

from bdgame_env.experiments.errors import missing_extra
from bdgame_env.experiments.streams import output_problem, use_lasting_streams


def main() -> int:
    """Run the command in `sys.argv`; returns the exit code, 1 if its output did not arrive."""
    use_lasting_streams()
    code = _run()
    problem = output_problem()
    if problem:
        print(f"error: the output cannot be written: {problem}", file=sys.stderr)
    return code if problem is None else code or 1


def _run() -> int:
    try:
        from bdgame_env.experiments.cli import main

        return main()
    except KeyboardInterrupt:  # before `cli.main` could handle it
        print("interrupted", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:  # typer and rich come with the extra `arena`
        line = missing_extra(error, "bdgame")
        if line is None:
            raise
        print(f"error: {line}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

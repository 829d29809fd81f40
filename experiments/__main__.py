"""`python -m experiments`."""

from __future__ import annotations

import sys

from bdgame_env.experiments.errors import missing_extra


def _run() -> int:
    try:
        from bdgame_env.experiments.cli import main

        return main()
    except KeyboardInterrupt:  # before `main` could see to it
        print("interrupted", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:  # typer and rich come with the extra `arena`
        line = missing_extra(error, "python -m experiments")
        if line is None:
            raise
        print(f"error: {line}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(_run())

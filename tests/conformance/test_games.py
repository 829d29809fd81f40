"""Every game of the registry satisfies what all games must satisfy."""

from __future__ import annotations

from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.registry import get_game, list_games
from tests.support.conformance import CHECKS, COMPILED_ONLY, option_sets


def cases() -> list[Any]:
    found = []
    for game_id in list_games():
        sets = option_sets(get_game(game_id))
        for place, name in enumerate(CHECKS):
            for number, options in enumerate(sets):
                if JIT_DISABLED and (name in COMPILED_ONLY or number != place % len(sets)):
                    continue
                if name in COMPILED_ONLY and number not in (0, len(sets) - 1):
                    continue
                text = ",".join(f"{key}={value}" for key, value in options.items())
                found.append(pytest.param(game_id, name, options, id=f"{game_id}-{name}-{text}"))
    return found


@pytest.mark.parametrize(("game_id", "name", "options"), cases())
def test_game(game_id: str, name: str, options: dict[str, Any]) -> None:
    """Run the check of that name from tests/support/conformance.py."""
    CHECKS[name](get_game(game_id), options)

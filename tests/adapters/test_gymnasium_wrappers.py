"""Every wrapper of Gymnasium runs, or does not for the reason that the page gives; every game is in many of them."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode

from bdgame_env import list_games, make_gym
from bdgame_env.registration import register_gymnasium
from tests.support.gymnasium_wrappers import ALL, LIBRARIES, SINGLE, VECTOR, Use, play, table

register_gymnasium()
PAGE = Path(__file__).parents[2] / "docs/frameworks/gymnasium.md"


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def check(game: str, use: Use, folder: Path, mode: AutoresetMode | None = None) -> None:
    try:
        if use.fails or mode not in (None, *use.modes):
            with pytest.raises((BufferError, TypeError, ValueError, *LIBRARIES)):
                play(game, use, str(folder), mode)
        else:
            play(game, use, str(folder), mode)
    except LIBRARIES as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(("wrapper", "game"), list(zip(SINGLE, cycle(list_games()), strict=False)))
def test_wrappers_of_one_game(game: str, wrapper: str, tmp_path: Path) -> None:
    check(game, SINGLE[wrapper], tmp_path)


@pytest.mark.filterwarnings("ignore:.*autoreset mode is same-step")  # a video lacks the last frame, as it must
@pytest.mark.parametrize(
    ("game", "wrapper", "mode"),
    [(game, wrapper, mode) for wrapper, game in zip(VECTOR, cycle(list_games()), strict=False) for mode in ALL],
)
def test_wrappers_of_many_games(game: str, wrapper: str, mode: AutoresetMode, tmp_path: Path) -> None:
    check(game, VECTOR[wrapper], tmp_path, mode)


@pytest.mark.parametrize("game", list_games())
def test_rescaling_needs_the_form_float(game: str) -> None:
    """As the pages say: of int8 it leaves three numbers at most."""
    kept = {}
    for form in ("flat", "float"):
        env = wrappers.RescaleObservation(make_gym(game, observation=form), np.float32(-1), np.float32(1))
        kept[form] = np.unique(env.reset(seed=1)[0])
    assert set(kept["flat"]) <= {-1, 0, 1} and len(kept["float"]) > 8 and kept["float"].dtype == np.float32


def test_the_page_tells_of_every_wrapper() -> None:
    assert set(SINGLE) == set(wrappers.__all__) - {"vector"} and set(VECTOR) == set(wrappers.vector.__all__)
    assert table() in PAGE.read_text("utf-8")

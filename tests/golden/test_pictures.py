"""Recorded pictures are what is drawn now, to the eye. `python -m tests.golden.pictures` rewrites them."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env.registry import get_game, list_games
from bdgame_env.render.pixels import pixels
from tests.golden.pictures import FOLDER, PICTURES, WIDTH, Recorded, difference

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

Image = pytest.importorskip("PIL.Image")


@pytest.mark.parametrize("recorded", PICTURES, ids=lambda recorded: recorded.path.stem)
def test_a_recorded_picture_is_drawn_as_before(recorded: Recorded) -> None:
    """With room for another version of the renderer."""
    with Image.open(recorded.path) as image:
        before = np.array(image.convert("RGB"))
    now = pixels(recorded.svg(), WIDTH)
    assert now.shape == before.shape
    mean, far = difference(now, before)
    assert mean < 1 and far < 0.004, f"mean difference {mean:.2f}, {far:.2%} of the pixels differ much"


def test_a_small_change_is_noticed() -> None:
    """One cube in another color would be."""
    now = pixels(PICTURES[0].svg(), WIDTH)
    changed = now.copy()
    changed[100:130, 100:160] = 255 - changed[100:130, 100:160]
    assert difference(now, changed)[1] >= 0.004


def test_every_drawn_game_has_two_pictures_and_they_are_small() -> None:
    games = [recorded.recording.game for recorded in PICTURES]
    assert {game: games.count(game) for game in games} == {game: 2 for game in list_games() if get_game(game).drawing}
    files = set(FOLDER.glob("*/*.png"))
    assert files == {recorded.path for recorded in PICTURES}
    assert all(path.stat().st_size < 150_000 for path in files)

"""Rewrites the recorded pictures: `python -m tests.golden.pictures`. Look at what changed before it is kept.

A picture is a position of a recorded game as the seat to decide sees it, WIDTH pixels wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.match import Match
from bdgame_env.registry import get_game
from bdgame_env.render.picture import picture_of
from tests.golden.record import FOLDER, RECORDINGS, Recording, choose

WIDTH = 600


@dataclass(frozen=True)
class Recorded:
    """A position to be drawn: a recording, and how many of its decisions are made."""

    recording: Recording
    decisions: int

    @property
    def path(self) -> Path:
        """tests/golden/<game>/<recording>_<decisions>.png"""
        return self.recording.path.with_name(f"{self.recording.name}_{self.decisions}.png")

    def svg(self) -> str:
        """The picture as it is drawn now."""
        recording = self.recording
        match = Match(get_game(recording.game), seed=0, **recording.options)
        match.deal(recording.deal)
        last = []
        for decision in range(1, self.decisions + 1):
            move = choose(match.legal_moves(), recording.preferred, recording.deal, decision)
            last.append(f"{match.seat}: {move}")
            match.play(move)
        return picture_of(match, seat=match.seat, last=last[-6:])


_BY_NAME = {(recording.path.parent.name, recording.name): recording for recording in RECORDINGS}
PICTURES = (
    Recorded(_BY_NAME["bdgame", "2_players"], 300),
    Recorded(_BY_NAME["bdgame", "3_players_selling_trading"], 151),
    Recorded(_BY_NAME["gizmos", "2_players"], 100),
    Recorded(_BY_NAME["gizmos", "4_players"], 90),
    Recorded(_BY_NAME["nicodemus", "2_players"], 25),
    Recorded(_BY_NAME["nicodemus", "2_players_effects"], 58),
    Recorded(_BY_NAME["pixel_pusher", "2_players"], 40),
    Recorded(_BY_NAME["pixel_pusher", "4_players"], 140),
)


def difference(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> tuple[float, float]:
    """Mean difference of the values, and the part of the pixels that differ by more than a fifth of the range."""
    apart = np.abs(one.astype(np.int16) - other)
    return float(apart.mean()), float((apart.max(axis=2) > 51).mean())


def main() -> None:
    """Write all pictures, and say which have changed."""
    from PIL import Image

    from bdgame_env.render.pixels import pixels

    for recorded in PICTURES:
        now = Image.fromarray(pixels(recorded.svg(), WIDTH))
        file = BytesIO()
        now.save(file, "PNG", optimize=True)
        before = recorded.path.read_bytes() if recorded.path.exists() else None
        recorded.path.write_bytes(file.getvalue())
        state = "new" if before is None else "same" if before == file.getvalue() else "CHANGED"
        print(f"{state:8}{recorded.path.relative_to(FOLDER)} ({len(file.getvalue())} bytes)")


if __name__ == "__main__":
    main()

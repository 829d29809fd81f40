"""SVG documents as pixels, by resvg, with the fonts that come with Matplotlib: the same on every machine."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

LIBRARIES = ("resvg_py", "PIL", "matplotlib")  # what `pixels` needs
_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def png(svg: str, width: int | None = None) -> bytes:
    """An SVG document as a PNG file.

    Args:
        svg: the document.
        width: of the picture, in pixels; None for one pixel per unit.

    Raises:
        ModuleNotFoundError: the extra `render` is not installed.
        ValueError: not an SVG document.
    """
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=_fonts(), font_family="DejaVu Sans"
        )
    )


def pixels(svg: str, width: int | None = None) -> npt.NDArray[np.uint8]:
    """An SVG document as pixels, uint8 of shape (height, width, 3), red, green and blue.

    Args:
        svg: the document.
        width: as in `png`.

    Raises:
        ModuleNotFoundError: the extra `render` is not installed.
        ValueError: not an SVG document.
    """
    from PIL import Image

    with Image.open(BytesIO(png(svg, width))) as image:
        return np.array(image.convert("RGB"))


@cache
def _fonts() -> list[str]:
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("pictures need the fonts of matplotlib: pip install 'bdgame_env[render]'")
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    return [str(folder / name) for name in _FONTS]

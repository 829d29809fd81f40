"""A small drawing kit: shapes, text and groups as one SVG document. It knows no game.

Colors and sizes are attributes of the shapes, so a document affects no page around it: no styles, scripts, references.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

FONT = "DejaVu Sans, Verdana, Geneva, sans-serif"  # the first two have the same widths
_XMLNS = {"xmlns": "http://www.w3.org/2000/svg"}
_IN_QUOTES = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Widths of characters as fractions of the font size, in the first font; others are as wide as a capital.
_WIDTHS = {
    **dict.fromkeys("ijl'|.,:; ", 0.33),
    **dict.fromkeys("rtfI!()[]/-_", 0.42),
    **dict.fromkeys("abcdeghknopqsuvxyz0123456789*?$", 0.62),
    **dict.fromkeys("+=<>#~·\u00d7", 0.84),
    **dict.fromkeys("mwMW@%…→", 0.98),
}
_CAPITAL = 0.72
_BOLD = 1.1


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The approximate width of a line of text, in units."""
    width = sum(_WIDTHS.get(letter, _CAPITAL) for letter in text)
    return width * size * (_BOLD if bold else 1.0)


class Canvas:
    """A group of an SVG document, to draw into; `document` and `sheet` start one.

    Args:
        tag: of its element.
        look: the element's attributes.
        ids: all ids of the document so far.
        texts: the font sizes used in the document so far, in its units.
        scale: how large a unit of this group is in the document.
    """

    def __init__(
        self, tag: str, look: Mapping[str, Any], ids: set[str], texts: set[float] | None = None, scale: float = 1
    ) -> None:
        self._tag = tag
        self._look = dict(look)
        self._inside: list[str | Canvas] = []
        self._ids = ids
        self._texts = set() if texts is None else texts
        self._scale = scale

    @classmethod
    def document(cls, width: int, height: int, title: str, background: str) -> Canvas:
        """An empty document of this size in units; it scales to any screen."""
        root = cls("svg", {**_XMLNS, **_size(width, height), "font-family": FONT, "role": "img"}, set())
        root._title(title)
        root.rect(0, 0, width, height, fill=background)
        return root

    @classmethod
    def sheet(cls, width: float, height: float, ids: set[str]) -> Canvas:
        """An empty document of this size on nothing, one of several on a page, which share their `ids`."""
        return cls("svg", {**_XMLNS, **_size(width, height), "font-family": FONT}, ids)

    def resized(self, width: float, height: float) -> Canvas:
        """The same document with another size."""
        self._look.update(_size(width, height))
        return self

    def repeated(self, id: str) -> str:
        """A document that is as large as its place, filled with copies of this one: a pattern of this id."""
        everything = {"width": "100%", "height": "100%"}
        root = Canvas("svg", {**_XMLNS, **everything}, set())
        size = {name: self._look[name] for name in ("width", "height")}
        root._add("pattern", {"id": id, "patternUnits": "userSpaceOnUse", **size})._inside = self._inside
        root._draw("rect", {**everything, "fill": f"url(#{id})"})
        return str(root)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the document, in its units."""
        return float(self._look["width"]), float(self._look["height"])

    @property
    def least_text(self) -> float:
        """The smallest font size in the document so far, in its units; infinite if there is no text."""
        return min(self._texts, default=math.inf)

    def group(
        self,
        x: float = 0,
        y: float = 0,
        *,
        scale: float = 1,
        id: str = "",
        title: str = "",
        moves: Iterable[str] = (),
        **look: Any,
    ) -> Canvas:
        """A group whose origin lies at (x, y).

        Args:
            x: to the right.
            y: downwards.
            scale: of everything drawn into it.
            id: its name, unique in the document.
            title: the tooltip.
            moves: the legal moves it stands for; if there are any, it has class "legal" and lists them.
            look: attributes, such as `opacity=0.5` or `data_count=3`.
        """
        if x or y or scale != 1:
            place = f"translate({_plain(x)} {_plain(y)})"
            look["transform"] = place if scale == 1 else f"{place} scale({_plain(scale)})"
        chosen = list(moves)
        if chosen:
            look = {"class": "legal", "data-moves": json.dumps(chosen), **look}
        inner = self._add("g", {"id": id, **look} if id else look, scale)
        if title:
            inner._title(title)
        return inner

    def window(
        self, x: float, y: float, width: float, height: float, view: tuple[float, float, float, float]
    ) -> Canvas:
        """A part of the picture that shows `view` (x, y, width, height), clipped to it."""
        seen = " ".join(map(_plain, view))
        size = {"x": x, "y": y, "width": width, "height": height, "viewBox": seen}
        return self._add("svg", size, min(width / view[2], height / view[3]))

    def rect(self, x: float, y: float, width: float, height: float, *, radius: float = 0, **look: Any) -> None:
        """A rectangle with corners of this radius."""
        corners = {"rx": radius} if radius else {}
        self._draw("rect", {"x": x, "y": y, "width": width, "height": height, **corners, **look})

    def circle(self, x: float, y: float, radius: float, **look: Any) -> None:
        """A circle around (x, y)."""
        self._draw("circle", {"cx": x, "cy": y, "r": radius, **look})

    def path(self, course: str, **look: Any) -> None:
        """Lines and curves in SVG's notation."""
        self._draw("path", {"d": course, **look})

    def line(self, x: float, y: float, to_x: float, to_y: float, **look: Any) -> None:
        """A straight line."""
        self._draw("line", {"x1": x, "y1": y, "x2": to_x, "y2": to_y, **look})

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        anchor: str = "start",
        bold: bool = False,
        width: float = 0,
        least: float = 0,
        fill: str = "#222222",
        **look: Any,
    ) -> None:
        """A line of text, vertically centered on y.

        Args:
            x: its start, middle or end; see `anchor`.
            y: the middle of its digits.
            text: plain text; it is escaped.
            size: of the font.
            anchor: "start", "middle" or "end".
            bold: whether it is bold.
            width: the room for it, 0 for no limit: the font shrinks until the text fits; the rest is cut.
            least: the smallest font size; 0 for 60 % of `size`.
            fill: its color.
            look: further attributes.
        """
        text = _NOT_IN_XML.sub("\ufffd", " ".join(text.split()))
        if width:
            wanted = text_width(text, size, bold)
            if wanted > width:
                size = max(size * width / wanted, least or 0.6 * size)
            while text and text_width(text, size, bold) > width * 1.001:
                text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
        if bold:
            look["font-weight"] = "bold"
        if anchor != "start":
            look["text-anchor"] = anchor
        if text:
            self._texts.add(size * self._scale)
        place = {"x": x, "y": y + 0.364 * size, "font-size": size, "fill": fill}  # a digit is 0.729 high
        self._draw("text", {**place, **look}, text)

    def __str__(self) -> str:
        return _element(self._tag, self._look, "".join(map(str, self._inside)))

    def _title(self, text: str) -> None:
        self._draw("title", {}, _NOT_IN_XML.sub("\ufffd", text))

    def _draw(self, tag: str, look: Mapping[str, Any], text: str = "") -> None:
        """Add an element with nothing but text in it."""
        self._know(look)
        self._inside.append(_element(tag, look, escape(text)))

    def _add(self, tag: str, look: Mapping[str, Any], scale: float = 1) -> Canvas:
        """Add an element to draw into."""
        self._know(look)
        inner = Canvas(tag, look, self._ids, self._texts, self._scale * scale)
        self._inside.append(inner)
        return inner

    def _know(self, look: Mapping[str, Any]) -> None:
        name = look.get("id")
        if name is not None:
            if name in self._ids:
                raise ValueError(f"the id {name!r} is given twice in one picture")
            self._ids.add(name)


def _element(tag: str, look: Mapping[str, Any], inside: str) -> str:
    """An element as XML."""
    head = "".join([_attribute(name, value) for name, value in look.items() if value is not None])
    return f"<{tag}{head}>{inside}</{tag}>" if inside else f"<{tag}{head} />"


_SEEN = 1 << 16  # most attributes are in many pictures


@lru_cache(_SEEN, typed=True)
def _attribute(name: str, value: object) -> str:
    """An attribute as XML, after a space."""
    return f' {name.replace("_", "-")}="{escape(_plain(value), _IN_QUOTES)}"'


def _plain(value: object) -> str:
    """A number or text as an attribute."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return _NOT_IN_XML.sub("\ufffd", str(value))


def _size(width: float, height: float) -> dict[str, str]:
    """The attributes of a document of this size."""
    return {"width": _plain(width), "height": _plain(height), "viewBox": f"0 0 {_plain(width)} {_plain(height)}"}


def fit_grid(count: int, width: float, height: float, tile: tuple[float, float], most: float = 1) -> tuple[int, float]:
    """How to fit equal tiles into an area: the number of columns, and the scale.

    Args:
        count: how many.
        width: of the area.
        height: of the area.
        tile: width and height of a tile, with the gap to the next.
        most: the largest scale.
    """
    best = (1, 0.0)
    for columns in range(1, max(count, 1) + 1):
        rows = -(-count // columns) or 1
        scale = min(most, width / (columns * tile[0]), height / (rows * tile[1]))
        if scale > best[1] + 1e-9:
            best = (columns, scale)
    return best

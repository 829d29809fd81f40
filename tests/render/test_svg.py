"""The drawing kit: plain shapes, escaped text, ids given once."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bdgame_env.render.svg import Canvas, fit_grid, text_width


def document() -> Canvas:
    return Canvas.document(100, 50, "A & B", "#ffffff")


def parsed(canvas: Canvas) -> ElementTree.Element:
    return ElementTree.fromstring(str(canvas))


def texts(canvas: Canvas) -> list[ElementTree.Element]:
    return [element for element in parsed(canvas).iter() if element.tag.endswith("text")]


def test_a_document_has_size_and_title() -> None:
    root = parsed(document())
    assert (root.attrib["width"], root.attrib["height"], root.attrib["viewBox"]) == ("100", "50", "0 0 100 50")
    assert root[0].text == "A & B" and root[1].attrib["fill"] == "#ffffff"


def test_a_document_is_repeated() -> None:
    tile = Canvas.sheet(30, 20, set())
    tile.group(1, 2).circle(5, 5, 3)
    root = ElementTree.fromstring(tile.repeated("dots"))
    pattern, rect = root
    assert (pattern.attrib["id"], pattern.attrib["width"], pattern.attrib["height"]) == ("dots", "30", "20")
    assert len(pattern) == 1 and len(pattern[0]) == 1, "with all that is drawn"
    assert rect.attrib["fill"] == "url(#dots)" and rect.attrib["width"] == root.attrib["width"] == "100%"


def test_text_is_escaped_and_what_xml_forbids_is_replaced() -> None:
    canvas = document()
    canvas.text(0, 0, '<b>"&\x00\x1b[1m\ud800  x', 10)
    assert texts(canvas)[0].text == '<b>"&\ufffd\ufffd[1m\ufffd x'


def test_an_id_is_given_once_in_a_document() -> None:
    canvas = document()
    canvas.group(id="a").group(id="b")
    with pytest.raises(ValueError, match="the id 'b' is given twice"):
        canvas.group(id="b")


def test_an_element_with_legal_moves_lists_them() -> None:
    canvas = document()
    canvas.group(3, 4, scale=0.5, id="x", moves=['say "yes"', "no"], data_count=2)
    canvas.group(moves=[])
    one, other = parsed(canvas)[2:]
    assert one.attrib == {
        "class": "legal",
        "data-moves": '["say \\"yes\\"", "no"]',
        "id": "x",
        "data-count": "2",
        "transform": "translate(3 4) scale(0.5)",
    }
    assert other.attrib == {}


@pytest.mark.parametrize("text", ["short", "a text that is rather long for its room", "WWWWWWWWWWWW", "…"])
def test_text_fits_its_room(text: str) -> None:
    canvas = document()
    canvas.text(0, 0, text, 20, width=100, least=10)
    (found,) = texts(canvas)
    size = float(found.attrib["font-size"])
    assert 10 <= size <= 20 and text_width(found.text or "", size) <= 101
    assert (found.text or "").rstrip("…").rstrip() == text[: len((found.text or "").rstrip("…").rstrip())]


def test_numbers_are_short_and_nothing_is_said_of_none() -> None:
    canvas = document()
    canvas.rect(1 / 3, 2.0, 10, 5, radius=0, fill=None, stroke_width=0.1 + 0.2)
    attributes = parsed(canvas)[2].attrib
    assert attributes == {"x": "0.33", "y": "2", "width": "10", "height": "5", "stroke-width": "0.3"}


@pytest.mark.parametrize("count", [0, 1, 3, 7, 28, 100])
def test_a_grid_fits_its_area(count: int) -> None:
    columns, scale = fit_grid(count, 300, 120, (60, 40), most=1)
    rows = -(-count // columns)
    assert 0 < scale <= 1 and columns * 60 * scale <= 300.001 and rows * 40 * scale <= 120.001
    assert scale == 1 or count > 15

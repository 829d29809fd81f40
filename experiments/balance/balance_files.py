"""The files of a balance report: a table and an HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..courtesy import courtesy
from ..files import csv_text, write_text
from .analysis import RESULTS, Balance
from .balance_page import balance_page

_COUNTS = ("seats", "available", "taken", "could", "took", "took_low", "took_high")


def write_files(balance: Balance, out: Path) -> None:
    """Write balance.csv and balance.html, each whole or not at all. A page that fails is noted on stderr.

    Raises:
        OSError: balance.csv cannot be written.
    """
    write_text(out / "balance.csv", csv_text(_lines(balance)))
    with courtesy("no balance.html"):
        write_text(out / "balance.html", balance_page(balance))


def _lines(balance: Balance) -> Iterable[Sequence[Any]]:
    ends = [f"{name}{end}" for name in RESULTS for end in ("_uplift", "_low", "_high")]
    yield ["kind", "family", "name", "group", "member", *_COUNTS, *ends]
    for row in balance.rows:
        item = row.item
        counts = (row.seats, row.available, row.taken, *(round(x, 6) for x in (row.could, row.took)))
        took = (None, None) if row.took_interval is None else tuple(round(x, 6) for x in row.took_interval)
        uplifts = (row.uplifts[name] for name in RESULTS)
        values = [None if x is None else round(x, 6) for u in uplifts for x in (u.value, u.low, u.high)]
        yield [item.kind, item.family, item.name, row.group, row.member, *counts, *took, *values]

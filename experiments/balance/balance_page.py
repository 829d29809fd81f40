"""A balance report as one self-contained HTML page, with tables that sort."""

from __future__ import annotations

from collections.abc import Sequence

from ..arena.tournament_page import provenance_section
from ..html_page import page
from ..tables import Sortable, Table, percent
from .analysis import RESULTS, SAME, SEAT, Balance, Row
from .items import ACTION, CARD, FAMILY
from .wording import clear, difference, facts, rate, took

_STYLE = """
:root { color-scheme: light dark }
body { max-width: 90em }
body, .sorts :is(th, td):first-child { background: #fff }
.sorts :is(th, td):first-child { position: sticky; left: 0; white-space: normal }
.sorts th { cursor: pointer } .sorts td { white-space: nowrap } .strong { font-weight: bold }
@media (prefers-color-scheme: dark) {
  body, .sorts :is(th, td):first-child { background: #15181c; color: #ddd } th, td { border-color: #444 }
}
"""
# A click on a title sorts by that column, numbers from the greatest down; a second click turns the order around.
_SCRIPT = """
for (const title of document.querySelectorAll("table.sorts th")) title.addEventListener("click", () => {
  const body = title.closest("table").tBodies[0], column = title.cellIndex;
  const down = title.dataset.down = title.dataset.down === "1" ? "0" : "1";
  const key = row => row.cells[column].dataset.v;
  const rows = [...body.rows].slice(1).sort((a, b) => {
    const x = key(a), y = key(b);
    if (x === "" || y === "") return (x === "") - (y === "");
    const order = column ? y - x : x.localeCompare(y);
    return down === "1" ? order : -order;
  });
  body.append(...rows);
});
"""
_TITLES = {FAMILY: "Families of actions", CARD: "Cards", ACTION: "Other actions"}
_NAMES = {"reward": "reward", "win": "share of wins", "margin": "margin in points"}


def balance_page(balance: Balance) -> str:
    """The page: the games, then a table each of families, cards and other actions, and how to repeat it all."""
    settings = balance.outcome.settings
    parts = [
        Table("Games", ("games", ""), facts(balance)).html(),
        "<p>Uplift: the mean result of seats that took something at least once, less that of the others, with 95 %"
        " intervals over deals, bold where they leave out 0. It does not say that taking it was the cause: whoever is"
        " ahead, or a better player, may take it more often. The columns for the same seating compare each agent"
        " with itself in the same seat against the same opponents. One in twenty is bold by chance alone. Click a"
        " title to sort.</p>",
    ]
    for kind, heading in _TITLES.items():
        rows = [row for row in balance.rows if row.item.kind == kind]
        if rows:
            parts += [f"<h2>{heading}</h2>", _sortable(rows).html("sorts")]
    title = f"{settings.game}: balance, by {', '.join(settings.names)} in {settings.options['players']} seats"
    return page(title, [*parts, provenance_section(balance.outcome)], style=_STYLE, script=_SCRIPT)


def _sortable(rows: Sequence[Row]) -> Table:
    """A row for each item: how often, the uplifts of SAME, then those of the margin in the other groups."""
    others = list(dict.fromkeys((row.group, row.member) for row in rows if row.group != SAME))
    single = {(row.item, row.group, row.member): row for row in rows}
    titles = [rows[0].item.kind, "legal", "taken", "of legal", "seats that could", "seats that did"]
    titles += [f"uplift of {_NAMES[name]}, {SAME}" for name in RESULTS]
    titles += [f"margin, {'seat ' if group == SEAT else ''}{member or group}" for group, member in others]
    cells = [
        (
            Sortable(row.item.label, row.item.label),
            Sortable(str(row.available), row.available),
            Sortable(str(row.taken), row.taken),
            Sortable(rate(row), row.taken / row.available),
            Sortable(percent(row.could), row.could),
            Sortable(took(row), row.took),
            *(_uplift(row, name) for name in RESULTS),
            *(_uplift(single[row.item, group, member], "margin") for group, member in others),
        )
        for row in rows
        if row.group == SAME
    ]
    return Table("", titles, cells)


def _uplift(row: Row, name: str) -> Sortable:
    value = row.uplifts[name].value
    return Sortable(difference(row, name), "" if value is None else value, clear(row.uplifts[name]))

"""Changes of a position within what the declaration of its record allows, as hypothesis or chance chooses them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.game import GameConfig
from bdgame_env.engine.struct import NONE, Field, Form, Struct
from tests.support.mutations import Choose

_FIXED = (Form.UNSAVED, Form.SIZE, Form.CUSTOM, Form.DIGITS)


def change_a_field(struct: type[Struct], s: Any, config: GameConfig, choose: Choose) -> str:
    """Give one entry of a random field another value of its range; says which."""
    fields = [field for field in struct.fields if field.form not in _FIXED]
    field = fields[choose(len(fields))]
    shape = (config.players, *field.shape[1:]) if field.by_seat else field.shape
    place = tuple(choose(size) for size in shape)
    if field.struct is not None:
        return f"{field.name}{list(place)}." + change_a_field(
            field.struct, s[field.name][place] if place else s[field.name], config, choose
        )
    least, greatest = range_of(field, config, place)
    value = least + choose(greatest - least + 1)
    if place:
        s[field.name][place] = value
    else:
        s[field.name] = value
    return f"{field.name}{list(place)} = {value}"


def range_of(field: Field, config: GameConfig, place: tuple[int, ...]) -> tuple[int, int]:
    """The least and the greatest value of an entry."""
    names, high = field.names_in(config), field.high_in(config)
    if field.form is Form.BITS:
        return 0, (1 << (int(np.max(high)) if names is None else len(names))) - 1
    if names is not None and field.form in (Form.NAME, Form.LISTING):
        return (NONE if field.none else 0), len(names) - 1
    most = high if isinstance(high, int) else high[place[-1]]
    return (NONE if field.none else field.low), int(most)

"""What a row of observations is to show."""

from __future__ import annotations

import numpy as np

from ...engine.struct import Struct, plain


class Seen(Struct):
    """Nothing is kept of what a row shows: most of it changes with every decision."""

    bare: int = plain(np.int8)  # 1 if prospects are left out

"""The compile policy: how functions become machine code.

Rules are plain functions over one record per game. `kernel` is for one that other compiled functions call,
`entry_point` for one that Python calls; only the latter becomes machine code. With `NUMBA_DISABLE_JIT=1` both return
the function unchanged.

`kernels` and `code_files` build on parts of Numba that are not documented. With a release that they were not tried
with, or that lacks such a part, all functions are compiled by `numba.njit` alone, by every process anew; with
BDGAME_ENV_PLAIN_JIT=1 too.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np import numpy_support

from .cache import OPTIONS, holder_of
from .compile_listener import listen

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(numba.config.DISABLE_JIT)
TRIED = (0, 61), (0, 69)  # the releases that `kernels` and `code_files` were tried with: from one to before the other
_COUNTING, _LEAN = {"_nrt": True}, {"_nrt": False}  # references to arrays; unsaid, it would be as in the caller
_FAST = {"fastmath": {"reassoc", "contract", "nsz"}}  # sums in any order, which is what vector units need


def is_tried(version: str) -> bool:
    """Whether a release of Numba is one that `kernels` and `code_files` were tried with."""
    numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
    return TRIED[0] <= numbers < TRIED[1]


def _is_plain() -> bool:
    """Whether functions are to be compiled by `numba.njit` alone."""
    if os.environ.get("BDGAME_ENV_PLAIN_JIT", "0") not in ("", "0") or not is_tried(numba.__version__):
        return True
    try:
        from . import code_files  # noqa: F401  whether Numba has what it imports
    except (ImportError, AttributeError):
        return True
    return False


PLAIN: bool = _is_plain()


def kernel(function: F) -> F:
    """Compile a function that other compiled functions call."""
    return _kernel(function, _COUNTING)


def lean_kernel(function: F) -> F:
    """A `kernel` that makes no arrays, nor calls one that returns new ones, so that references need not be counted.

    A count is an atomic operation: threads that share an array, as they share a network, would wait for each other.
    """
    return _kernel(function, _LEAN)


def fast_kernel(function: F) -> F:
    """A `lean_kernel` in which floating-point sums may be taken in another order, so that code for another processor,
    such as the code that is shipped, may round differently; the same code always gives the same.
    """
    return _kernel(function, _LEAN | _FAST)


def entry_point(function: F) -> F:
    """Compile a function that Python calls."""
    return _entry_point(function, _COUNTING)


def lean_entry_point(function: F) -> F:
    """An `entry_point` that makes no arrays, like a `lean_kernel`: views of rows in its loops are not counted."""
    return _entry_point(function, _LEAN)


def _entry_point(function: F, options: dict[str, Any]) -> F:
    if JIT_DISABLED:
        return function
    if PLAIN:
        return _plain(function, {})
    from .kernels import EntryPoint

    return _prepared(EntryPoint(function, OPTIONS | options, lambda: _kernel(function, options)), function)


def _kernel(function: F, options: dict[str, Any]) -> F:
    if JIT_DISABLED:
        return function
    if PLAIN:
        return _plain(function, {name: value for name, value in options.items() if name in _FAST})
    from .kernels import Kernel

    return _prepared(Kernel(function, OPTIONS | options, lambda: entry_point(function)), function)


def _plain(function: F, options: dict[str, Any]) -> F:
    made: Any = numba.njit(**OPTIONS, **options)(function)
    made.is_ours = True  # for `compile_listener`
    result: F = made
    return result


def _prepared(dispatcher: Any, function: F) -> F:
    from .code_files import keep_code

    dispatcher.is_ours = True  # for `compile_listener`
    if holder_of(function.__module__) is not None:
        keep_code(dispatcher, function)
    made: F = dispatcher
    return made


def copy_row(to: Any, row: Any) -> None:
    """Copy an array into another of the same size and type, both without gaps; for kernels.

    They must not overlap. Nothing else is as fast: loops over two arrays that might overlap go entry by entry.
    """
    to.reshape(row.shape)[...] = row


def subtract_row(fro: Any, row: Any) -> None:
    """Subtract an array of a record from another one of the same size and type, entry by entry; for kernels.

    They must not overlap. It takes one instruction where a loop over two arrays that might overlap takes many.
    """
    fro -= row


def clear_record(record: Any) -> None:
    """Write zeros all over a record; for kernels. It is far faster than to do so field by field."""
    for name in record.dtype.names:
        record[name] = 0


def trailing_zeros(number: int) -> int:
    """How many zeros an integer of 64 bits, which must not be 0, ends with in binary; for kernels."""
    return (number & -number).bit_length() - 1


def _compiled_copy() -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def copy(context: Any, to: Any, row: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            into, source = (
                target.make_array(kind)(target, builder, value)
                for kind, value in zip(signature.args, values, strict=True)
            )
            size = target.get_constant(types.intp, numpy_support.as_dtype(row.dtype).itemsize)
            cgutils.raw_memcpy(builder, into.data, source.data, source.nitems, size)
            return target.get_dummy_value()

        return types.void(to, row), code

    return copy


def _compiled_clear() -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def clear(context: Any, record: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            cgutils.memset(builder, values[0], target.get_constant(types.intp, record.size), 0)
            return target.get_dummy_value()

        return types.void(record), code

    return clear


def _compiled_subtraction() -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def subtract(context: Any, fro: Any, row: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            entry = target.get_data_type(row.dtype)
            whole = cgutils.ir.VectorType(entry, math.prod(row.shape)).as_pointer()
            into, source = (
                builder.bitcast(target.make_array(kind)(target, builder, value).data, whole)
                for kind, value in zip(signature.args, values, strict=True)
            )
            left = builder.sub(builder.load(into, align=1), builder.load(source, align=1))
            builder.store(left, into, align=1)
            return target.get_dummy_value()

        return types.void(fro, row), code

    return subtract


def _compiled_trailing_zeros() -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def count(context: Any, number: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.cttz(values[0], cgutils.true_bit)

        return types.int64(types.int64), code

    return count


if not JIT_DISABLED:
    subtract_row = _compiled_subtraction()
    copy_row, clear_record, trailing_zeros = _compiled_copy(), _compiled_clear(), _compiled_trailing_zeros()
    listen()

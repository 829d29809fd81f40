"""Memory as bytes, for kernels: comparing and copying whole records and arrays, and rows read eight bytes at a time.

Rows are contiguous. Numbers in words are little-endian, on every machine that Numba compiles for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from .jit import JIT_DISABLED

_WIDEST = 32  # bytes compared at once, which suits most vector units
_LINE = 64  # bytes that caches load at once
_TO_READ, _DATA = 0, 1  # see `llvm.prefetch`


def differ(one: Any, other: Any) -> bool:
    """Whether two records or arrays of the same size differ; one of them is a record or a field of one."""
    return bool(one.tobytes() != other.tobytes())


def renew(to: Any, row: Any) -> bool:
    """Copy a record or an array into another of its size, and say whether that changed a byte of it.

    One of the two is a record or a field of one, so that the size is known to the compiler. They must not overlap.
    """
    if not differ(to, row):
        return False
    if to.dtype.names is None:
        to.reshape(row.shape)[...] = row
    else:
        for name in to.dtype.names:
            to[name] = row[name]
    return True


def blank_of(dtype: Any) -> Any:
    """A record of zeros of this dtype, as long-lived as the call of the kernel that asks for it."""
    return np.zeros(1, dtype)[0]


def move(row: Any, to: int, at: int, number: int) -> None:
    """Copy entries of an int8 array from place `at` on to place `to` on, both in the row; they may overlap."""
    row[to : to + number] = row[at : at + number].copy()


def word_at(row: Any, at: int) -> int:
    """The eight bytes of an int8 array from place `at` on, as an int64."""
    return int(np.frombuffer(row.tobytes(), "<i8", 1, at)[0])


def put_word(row: Any, at: int, word: int) -> None:
    """Write an int64 as the eight bytes of an int8 array from place `at` on."""
    row.reshape(-1)[at : at + 8] = np.array([word], "<i8").view(np.int8)


def fetch(record: Any) -> None:
    """Have the processor load a record into its cache meanwhile: a hint, which changes nothing else."""


_BYTE = ir.IntType(8)
_BYTES = _BYTE.as_pointer()
_WORD = ir.IntType(64)


def _start_of(target: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A pointer to the bytes of a record or an array."""
    data = value if isinstance(kind, types.Record) else target.make_array(kind)(target, builder, value).data
    return builder.bitcast(data, _BYTES)


def _size_of(*kinds: Any) -> int:
    """The bytes of the first of these types that says how many it has."""
    for kind in kinds:
        if isinstance(kind, types.Record):
            return int(kind.size)
        if isinstance(kind, types.NestedArray):
            return int(kind.nitems * kind.dtype.bitwidth // 8)
    raise TypingError("a record or a field of one is wanted")


def _differ(builder: Any, one: Any, other: Any, size: int) -> Any:
    """Whether any of `size` bytes differ; the last chunk overlaps the one before it."""
    width = 1 << min(size, _WIDEST).bit_length() - 1
    chunk = ir.IntType(8 * width) if width <= 8 else ir.VectorType(_BYTE, width)
    found = None
    for at in sorted({*range(0, size - width + 1, width), size - width}):
        loaded = [
            builder.load(builder.bitcast(cgutils.pointer_add(builder, start, at), chunk.as_pointer()))
            for start in (one, other)
        ]
        for instruction in loaded:
            instruction.align = 1
        here = builder.xor(*loaded)
        found = here if found is None else builder.or_(found, here)
    whole = ir.IntType(8 * width)
    return builder.icmp_unsigned("!=", builder.bitcast(found, whole), whole(0))


def _compiled() -> tuple[Any, ...]:
    @intrinsic  # type: ignore[untyped-decorator]
    def differ(context: Any, one: Any, other: Any) -> tuple[Any, Any]:
        size = _size_of(one, other)

        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            first, second = (
                _start_of(target, builder, kind, value) for kind, value in zip(signature.args, values, strict=True)
            )
            return _differ(builder, first, second, size)

        return types.boolean(one, other), code

    @intrinsic  # type: ignore[untyped-decorator]
    def renew(context: Any, to: Any, row: Any) -> tuple[Any, Any]:
        size = _size_of(to, row)

        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            into, source = (
                _start_of(target, builder, kind, value) for kind, value in zip(signature.args, values, strict=True)
            )
            changed = _differ(builder, into, source, size)
            with builder.if_then(changed):
                cgutils.raw_memcpy(builder, into, source, target.get_constant(types.intp, size), 1)
            return changed

        return types.boolean(to, row), code

    @intrinsic  # type: ignore[untyped-decorator]
    def blank_of(context: Any, dtype: Any) -> tuple[Any, Any]:
        made = dtype.dtype

        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            room = cgutils.alloca_once(builder, ir.ArrayType(_BYTE, made.size))
            cgutils.memset(builder, room, target.get_constant(types.intp, made.size), 0)
            return builder.bitcast(room, target.get_value_type(made))

        return made(dtype), code

    @intrinsic  # type: ignore[untyped-decorator]
    def move(context: Any, row: Any, to: Any, at: Any, number: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            start = _start_of(target, builder, signature.args[0], values[0])
            into, source = (builder.gep(start, [place]) for place in values[1:3])
            cgutils.raw_memmove(builder, into, source, values[3], 1)
            return target.get_dummy_value()

        return types.void(row, types.intp, types.intp, types.intp), code

    @intrinsic  # type: ignore[untyped-decorator]
    def word_at(context: Any, row: Any, at: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            start = _start_of(target, builder, signature.args[0], values[0])
            word = builder.load(builder.bitcast(builder.gep(start, [values[1]]), _WORD.as_pointer()))
            word.align = 1
            return word

        return types.int64(row, types.intp), code

    @intrinsic  # type: ignore[untyped-decorator]
    def put_word(context: Any, row: Any, at: Any, word: Any) -> tuple[Any, Any]:
        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            start = _start_of(target, builder, signature.args[0], values[0])
            stored = builder.store(values[2], builder.bitcast(builder.gep(start, [values[1]]), _WORD.as_pointer()))
            stored.align = 1
            return target.get_dummy_value()

        return types.void(row, types.intp, types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def fetch(context: Any, record: Any) -> tuple[Any, Any]:
        size = _size_of(record)

        def code(target: Any, builder: Any, signature: Any, values: Any) -> Any:
            start, flag = _start_of(target, builder, record, values[0]), ir.IntType(32)
            hint = builder.module.declare_intrinsic(
                "llvm.prefetch", [_BYTES], ir.FunctionType(ir.VoidType(), [_BYTES, flag, flag, flag])
            )
            for at in range(0, size, _LINE):
                builder.call(hint, [cgutils.pointer_add(builder, start, at), flag(_TO_READ), flag(3), flag(_DATA)])
            return target.get_dummy_value()

        return types.void(record), code

    return differ, renew, blank_of, move, word_at, put_word, fetch


if not JIT_DISABLED:
    differ, renew, blank_of, move, word_at, put_word, fetch = _compiled()

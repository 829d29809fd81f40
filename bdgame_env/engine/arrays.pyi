from collections.abc import Iterator
from typing import Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

S = TypeVar("S")

class Rows(Generic[S]):
    """An array of records, shape (n,)."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @overload
    def __getitem__(self, place: int) -> S: ...
    @overload
    def __getitem__(self, place: slice) -> Rows[S]: ...
    @overload
    def __getitem__(self, place: str) -> Any: ...
    def __setitem__(self, place: int | slice | str, value: Any) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[S]: ...

class Ints(npt.NDArray[np.integer[Any]]):
    """Whole numbers, one axis."""

    @overload  # type: ignore[override]
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Ints: ...
    @overload
    def __getitem__(self, place: Any) -> Any: ...
    def __iter__(self) -> Iterator[int]: ...  # type: ignore[override]

class Ints2(npt.NDArray[np.integer[Any]]):
    """Whole numbers, two axes."""

    @overload  # type: ignore[override]
    def __getitem__(self, place: int) -> Ints: ...
    @overload
    def __getitem__(self, place: tuple[int, int]) -> int: ...
    @overload
    def __getitem__(self, place: Any) -> Any: ...
    def __iter__(self) -> Iterator[Ints]: ...  # type: ignore[override]

class Ints3(npt.NDArray[np.integer[Any]]):
    """Whole numbers, three axes."""

    @overload  # type: ignore[override]
    def __getitem__(self, place: int) -> Ints2: ...
    @overload
    def __getitem__(self, place: tuple[int, int]) -> Ints: ...
    @overload
    def __getitem__(self, place: tuple[int, int, int]) -> int: ...
    @overload
    def __getitem__(self, place: Any) -> Any: ...
    def __iter__(self) -> Iterator[Ints2]: ...  # type: ignore[override]

class Floats(npt.NDArray[np.floating[Any]]):
    """Numbers, one axis."""

    @overload  # type: ignore[override]
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> Floats: ...
    @overload
    def __getitem__(self, place: Any) -> Any: ...
    def __iter__(self) -> Iterator[float]: ...  # type: ignore[override]

class Floats2(npt.NDArray[np.floating[Any]]):
    """Numbers, two axes."""

    @overload  # type: ignore[override]
    def __getitem__(self, place: int) -> Floats: ...
    @overload
    def __getitem__(self, place: tuple[int, int]) -> float: ...
    @overload
    def __getitem__(self, place: Any) -> Any: ...
    def __iter__(self) -> Iterator[Floats]: ...  # type: ignore[override]

"""Machine code that is made in a quarter of the time and runs at half the speed, for tests with every index checked.

Most of the time that compiling takes is LLVM's work on whole entry points. Here LLVM optimizes each function by itself,
as always, but nothing across functions, and translates in its quickest way. `make tests-unchecked` tests what users
run.
"""

from __future__ import annotations

import gc
from typing import Any

from numba.core.codegen import JITCPUCodegen


def compile_quickly() -> None:
    """Have this process make such code. To be called before anything is compiled."""
    passes, options = JITCPUCodegen._module_pass_manager, JITCPUCodegen._customize_tm_options

    def quick_passes(codegen: Any, **settings: Any) -> Any:
        return passes(codegen, opt=0)

    def quick_options(codegen: Any, chosen: dict[str, Any]) -> None:
        options(codegen, chosen)
        chosen["opt"] = 0

    JITCPUCodegen._module_pass_manager, JITCPUCodegen._customize_tm_options = quick_passes, quick_options
    gc.set_threshold(100_000, 20, 50)  # Numba makes millions of objects that live on; looking through them takes long

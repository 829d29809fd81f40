"""How a kernel is compiled: to LLVM's intermediate code only, which its entry points turn into machine code.

By itself Numba links, optimizes and translates every function together with all that it calls, whether Python calls it
or not. A game has some 250 functions of which Python calls ten, so two thirds of LLVM's work would be thrown away.

Only `jit` uses this module. It builds on parts of Numba that are not documented; pyproject.toml names the releases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from llvmlite import binding as llvm
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The intermediate code of a kernel and of all that it calls, to be linked into its callers."""

    def finalize(self) -> None:
        """Link the code of the called functions, and leave optimizing and translating to the entry points."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


class _KernelCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's passes, with a library that stops at intermediate code and without functions for Python and C."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, *rest: Any
    ):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _KernelLibrary(targetctx.codegen(), "kernel")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, *rest)


class _Key:
    """Stands for a compiled kernel in Numba's tables, where a function with machine code has its address."""


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that compiled functions call.

    Python may call it too, as tests do: then an entry point for it is compiled first.

    Args:
        function: the function to compile.
        options: Numba's options.
        make_entry_point: called without arguments when Python calls the kernel for the first time.
    """

    def __init__(
        self, function: Callable[..., Any], options: Mapping[str, Any], make_entry_point: Callable[[], Any]
    ) -> None:
        super().__init__(function, targetoptions=_complete(options), pipeline_class=_KernelCompiler)
        self._make_entry_point = make_entry_point
        self._entry_point: Any = None

    def add_overload(self, cres: Any) -> None:
        """Make a compiled signature known to the functions that call this one."""
        cres.library._ensure_finalized()
        cres = cres._replace(entry_point=_Key())
        self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What runs when Python calls the kernel."""
        if self._entry_point is None:
            self._entry_point = self._make_entry_point()
        return self._entry_point


class EntryPoint(CPUDispatcher):  # type: ignore[misc]
    """A function that Python calls."""

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        super().__init__(function, targetoptions=_complete(options))

    def add_overload(self, cres: Any) -> None:
        """Give the kernels in this machine code their Python constants, then make the signature known."""
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)
        super().add_overload(cres)


def _complete(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as `numba.njit` would pass them on."""
    return {"nopython": True, "boundscheck": None, **options}


def reduced(cres: Any) -> tuple[Any, ...]:
    """The part of a compiled kernel that is kept on disk; it can be pickled."""
    cres.fndesc.typemap = cres.fndesc.calltypes = None  # Numba does not keep these either
    code = cres.library._final_module.as_bitcode()
    environments = tuple(cres._find_referenced_environments())
    return code, cres.fndesc, cres.environment, cres.signature, cres.reload_init, environments


def rebuilt(target_context: Any, payload: tuple[Any, ...]) -> Any:
    """The compiled kernel of which `reduced` gave the payload."""
    code, fndesc, environment, signature, reload_init, environments = payload
    for function in reload_init:
        function()
    library = _KernelLibrary(target_context.codegen(), "kernel")
    library._final_module = llvm.parse_bitcode(code)
    library._finalized = True
    return compiler.CompileResult(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=_Key(),
        typing_error=None,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        fndesc=fndesc,
        library=library,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )

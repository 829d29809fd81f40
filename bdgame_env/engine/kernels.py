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
            if hasattr(library, "_reload_init"):  # not with Numba 0.61
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
    """A function that Python calls.

    Compiled functions may call it too: they get a kernel, as machine code from the disk cannot be linked.

    Args:
        function: the function to compile.
        options: Numba's options.
        make_kernel: called without arguments when a compiled function calls the entry point for the first time.
    """

    def __init__(
        self, function: Callable[..., Any], options: Mapping[str, Any], make_kernel: Callable[[], Any]
    ) -> None:
        super().__init__(function, targetoptions=_complete(options))
        self._make_kernel = make_kernel
        self._kernel: Any = None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a caller's types are inferred from."""
        if self._kernel is None:
            self._kernel = self._make_kernel()
        return self._kernel.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """What a caller calls."""
        return super().get_overload(sig) if self._kernel is None else self._kernel.get_overload(sig)

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
    return cres.library._final_module.as_bitcode(), *_description(cres)


def rebuilt(target_context: Any, payload: tuple[Any, ...]) -> Any:
    """The compiled kernel of which `reduced` gave the payload."""
    code, *_, reload_init, _ = payload
    for function in reload_init:
        function()
    library = _KernelLibrary(target_context.codegen(), "kernel")
    library._final_module = llvm.parse_bitcode(code)
    library._finalized = True
    return _result(target_context, payload, library, _Key())


def reduced_entry_point(cres: Any) -> tuple[Any, ...]:
    """The part of a compiled entry point that is kept on disk: machine code, and none that could be linked again."""
    return cres.library._get_compiled_object(), *_description(cres)


def rebuilt_entry_point(target_context: Any, payload: tuple[Any, ...]) -> Any:
    """The compiled entry point of which `reduced_entry_point` gave the payload."""
    code, fndesc, environment, _, reload_init, environments = payload
    for function in reload_init:
        function()
    codegen = target_context.codegen()
    library = codegen.create_library("entry point")
    library.enable_object_caching()
    library._set_compiled_object(code)
    library._finalize_final_module()
    codegen._engine._defined_symbols.add(fndesc.llvm_cpython_wrapper_name)
    entry_point = target_context.get_executable(library, fndesc, environment)
    for referenced in environments:
        codegen.set_env(referenced.env_name, referenced)
    return _result(target_context, payload, library, entry_point)


def _description(cres: Any) -> tuple[Any, ...]:
    """What callers have to know of a compiled function, besides its code."""
    cres.fndesc.typemap = cres.fndesc.calltypes = None  # Numba does not keep these either
    environments = tuple(cres._find_referenced_environments())
    return cres.fndesc, cres.environment, cres.signature, cres.reload_init, environments


def _result(target_context: Any, payload: tuple[Any, ...], library: Any, entry_point: Any) -> Any:
    _, fndesc, environment, signature, reload_init, environments = payload
    return compiler.CompileResult(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=entry_point,
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

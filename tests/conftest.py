"""What holds for every test process: libraries compute in one thread; code that checks every index is made quickly."""

from __future__ import annotations

import os

# Two test processes whose PyTorch takes all cores each spend most of their time waiting for one another. Read when
# these libraries are imported; the number of threads of what is tested is set by each test.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

if os.environ.get("NUMBA_BOUNDSCHECK", "0") != "0":
    from tests.support.quick_code import compile_quickly

    compile_quickly()

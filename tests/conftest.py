"""What holds for every test process: libraries compute in one thread."""

from __future__ import annotations

import os

# Two test processes whose PyTorch takes all cores each spend most of their time waiting for one another. Read when
# these libraries are imported; the number of threads of what is tested is set by each test.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

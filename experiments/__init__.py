"""The command line, and what it runs: arena (tournaments), play, training and benchmarks. Read `cli` first.

Imported as `bdgame_env.experiments`.
"""

from __future__ import annotations

import os

# Set before NumPy and torch are loaded. The matrices are small, and on a busy machine a thread that waits for another
# spins or stalls: a slowdown by a factor of 100 was seen.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

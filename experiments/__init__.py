"""Tournaments, training, benchmarks and plots: `python -m experiments --help`."""

from __future__ import annotations

import os

# Before NumPy and torch are loaded. The matrices are small, and a thread that waits for another one spins or stalls
# whenever somebody else has a core: a hundred times slower was seen.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

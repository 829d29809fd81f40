"""Baselines: learners at the same budget, over several seeds. Read baselines, runs, watch, learners, baselines_page."""

"""Matches between agents: schedule, workers, store, ratings, report. Knows no game."""

"""Seat snapshots rebuilt from observations, one module for each game."""

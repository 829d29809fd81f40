"""Positions and games as text: snapshots read and checked, game records written and replayed."""

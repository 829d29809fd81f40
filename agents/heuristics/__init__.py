"""Compiled players that know one game each: `bdgame.py` for Bdgame, and so on."""

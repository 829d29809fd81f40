"""Pixel Pusher: start at game.py (what it declares) or RULES.md (the numbered rules)."""

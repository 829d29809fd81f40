"""The engine that every game shares; nothing here knows a game."""

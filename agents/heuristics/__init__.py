"""Compiled players that know one game each, in a folder per game, and the agents made of them."""

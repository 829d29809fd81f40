"""Decoders, one for each game: what a seat's snapshot holds, read from nothing but what that seat observes."""

"""Decoders, one per game: they rebuild a seat's snapshot from nothing but its observation."""

"""Finds better decks of cards: from a space of decks and aims to a deck that meets them, by play."""

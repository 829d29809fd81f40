"""What the parts of a game are worth to those who use them: counts over many games, for people who design games."""

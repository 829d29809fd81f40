"""Pages: a recorded game as one file, and a served one to play on."""

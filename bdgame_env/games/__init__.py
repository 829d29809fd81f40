"""One folder per game; none knows another, nor any framework."""

"""Tournaments, training and measurements from the command line: `python -m experiments --help`."""

"""Other libraries' first lines on all games: `make test-clients` runs them and writes docs/clients.md.

Every client has a script of its own here, and a virtual environment of its own in `.clients`.
"""

"""Playing and replaying games. Read play, seats, plans, session, then line_game and text_play, or web; then replay.

`opinions` asks agents, `reveals` says what a move reveals, `game_records` and `saves` read and write files, and
`replay_page` is a recorded game as one HTML page.
"""

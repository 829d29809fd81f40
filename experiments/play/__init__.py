"""Playing and replaying games. Read play, seats, session, thinking, then text_play or web; then replay, game_records.

`hidden` says what a move reveals, `saves` writes a player's files, `replay_page` a recorded game as one HTML page.
"""

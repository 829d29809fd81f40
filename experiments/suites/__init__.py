"""The benchmark: agents play a fixed suite and get a card. Read suite, benchmark, anchors, card, leaderboard.

A suite is data: `NAME.toml` has its seeds and pools of opponents, the folder NAME what each pool did among itself.
"""

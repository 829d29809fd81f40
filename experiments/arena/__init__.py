"""Tournaments. Read options, tournament, settings, schedule, seating, workers, batch_runner, matches, store, standings.

Then what becomes of an outcome: text_report, tournament_files, tournament_page, tournament_plots. `plackett_luce` and
`share_intervals` belong to `standings`, `sequential_test` to `schedule`, and `ladder` is a tournament with a game's
baselines. No file here knows a game.
"""

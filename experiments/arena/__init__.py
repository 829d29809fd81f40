"""Tournaments. Read tournament, settings, schedule, seating, workers, batch_runner, matches, store, ratings, outcome.

Then what becomes of an outcome: result_files, text_report, html_report, plots. `rating_intervals` belongs to `ratings`,
`sequential` to `schedule`, and `ladder` is a tournament with a game's baselines. No file here knows a game.
"""

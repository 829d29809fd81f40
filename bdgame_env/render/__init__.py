"""Pictures of positions, as SVG, text, pixels or a window; no game is known here."""

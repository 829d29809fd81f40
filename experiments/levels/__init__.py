"""How strong play can be graded, and how deep a game is. Read duels, depth, depth_page; family, calibration, levels."""

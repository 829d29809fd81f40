"""Tree search over any game: compiled loops (`tree_template`) and the trees they grow (`forest`)."""

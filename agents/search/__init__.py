"""Tree search over any game: compiled loops (`tree_loops`) and the trees they grow (`forest`)."""

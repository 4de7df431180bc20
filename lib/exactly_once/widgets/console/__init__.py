"""The crash console: its model takes a learner's actions, `runs` runs handlers, `view` and `toolbar` draw it."""

"""The crash console: its model runs a handler, `view` and `toolbar` are its screen, `worlds` runs handlers."""

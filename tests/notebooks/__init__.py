"""The notebooks themselves: their form, their links, and running them from top to bottom."""

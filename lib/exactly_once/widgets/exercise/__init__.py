"""The panel of an exercise: Show, Check and Hint, and their results."""

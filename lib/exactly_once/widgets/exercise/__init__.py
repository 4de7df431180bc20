"""The panel of an exercise: Show, Check and Hint, and what came of them."""

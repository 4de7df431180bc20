"""The price of a step of the lock-free handler, with sliders."""

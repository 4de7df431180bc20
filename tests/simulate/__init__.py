"""One run in the simulated world, and what a life leaves in its process."""

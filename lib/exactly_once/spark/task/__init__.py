"""The inside of a task: an incarnation's world, late requests, and the run's folder."""

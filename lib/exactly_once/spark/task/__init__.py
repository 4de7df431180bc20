"""The inside of a task: an incarnation's world, late requests, the run's folder, and attempts of copied tasks."""

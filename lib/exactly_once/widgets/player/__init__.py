"""The player: steps through a run whose scheduler is the learner. A chapter gives a `Scene`; see scene.py."""

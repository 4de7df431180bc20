"""The player: steps through a run whose scheduler is the learner. A chapter gives a `Scene`; see scene.py.

A way of decisions is in way.py, one whose positions come from the explorer in explored.py.
"""

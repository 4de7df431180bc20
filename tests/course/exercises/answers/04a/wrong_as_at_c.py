# Plausible: right but for the wrong averages.
"""Predicts what a crash at C does: the state had not been saved there."""

REASON = "counts twice in every average"
answer = {"doubled": [4], "missing": [], "wrong": [], "counter": 8}

# Plausible: right where one log is the beginning of the other.
"""Compares lengths only."""

REASON = "Two replicas would hold different records there for good"


def answer(follower, leader):
    return min(len(follower), len(leader))

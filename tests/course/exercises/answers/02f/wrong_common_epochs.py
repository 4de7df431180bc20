# Plausible: right for the shortest logs.
"""Keeps every record of an epoch that the leader's log knows, however far that epoch went there."""

REASON = "where the leader has nothing"


def answer(follower, leader):
    return len([epoch for epoch in follower if epoch in leader])

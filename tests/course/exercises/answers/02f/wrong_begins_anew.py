"""Throws everything away and copies anew, to be on the safe side."""

REASON = "where both have the same record"


def answer(follower, leader):
    return 0

"""Cuts nothing."""

REASON = "where the leader has nothing"


def answer(follower, leader):
    return len(follower)

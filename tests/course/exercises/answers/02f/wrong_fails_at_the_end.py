"""Looks beyond the end of the shorter log."""

REASON = "fails with IndexError"


def answer(follower, leader):
    offset = 0
    while follower[offset] == leader[offset]:
        offset += 1
    return offset

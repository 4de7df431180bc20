"""Names the last offset that both have, not the one after it."""

REASON = "the follower's new log end is an offset from 0"


def answer(follower, leader):
    end = min(len(follower), len(leader))
    for offset in range(end):
        if follower[offset] != leader[offset]:
            return offset - 1
    return end if end == len(follower) else end - 1

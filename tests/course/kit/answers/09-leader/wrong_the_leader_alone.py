from exactly_once.lockfree.queue import EMPTY, cell

REASON = "ask the leader 7 times, and 1 would do"


def answer(leader, follower):
    index = 0
    while leader.read(cell("queue", index))[0] != EMPTY:
        index += 1
    return index

from exactly_once.lockfree.queue import EMPTY, cell

REASON = "your lines ask the leader 6 times, and 1 would do"


def answer(leader, follower):
    index = 0
    while all(one.read(cell("queue", index))[0] != EMPTY for one in (follower, leader)):
        index += 1
    return index

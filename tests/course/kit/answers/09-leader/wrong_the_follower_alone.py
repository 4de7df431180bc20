from exactly_once.lockfree.queue import EMPTY, cell

REASON = "the follower knows of 5: your lines return 5"


def answer(leader, follower):
    index = 0
    while follower.read(cell("queue", index))[0] != EMPTY:
        index += 1
    return index

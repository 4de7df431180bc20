from exactly_once.lockfree.queue import EMPTY, cell

REASON = "your lines return 5, and the first empty cell is 6"


def answer(leader, follower):
    index = 0
    while follower.read(cell("queue", index))[0] != EMPTY:
        index += 1
    while leader.read(cell("queue", index))[0] != EMPTY:
        index += 1
    return index - 1

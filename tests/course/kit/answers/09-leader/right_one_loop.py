from exactly_once.lockfree.queue import EMPTY, cell


def answer(leader, follower):
    index, who = 0, follower
    while True:
        if who.read(cell("queue", index))[0] != EMPTY:
            index += 1
        elif who is follower:
            who = leader
        else:
            return index

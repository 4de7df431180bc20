"""Asks, as Kafka's followers do, where the follower's newest epoch ends at the leader, again and again."""


def answer(follower, leader):
    end = len(follower)
    while end:
        epoch = follower[end - 1]
        theirs = max((n + 1 for n, one in enumerate(leader) if one <= epoch), default=0)
        newest = leader[theirs - 1] if theirs else -1
        if newest == epoch:
            return min(end, theirs)
        end = max((n + 1 for n, one in enumerate(follower[:end]) if one <= newest), default=0)
        end = min(end, theirs)
    return 0

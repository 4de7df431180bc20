"""Answers to the exercise 02f."""

from tests.course.answers import Answers

answers = Answers("02f")

# Asks, as Kafka's followers do, where the follower's newest epoch ends at the leader, again and again.
answers.right("by the ends of epochs").code("""
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
""")

# Goes backwards: the last offset with equal epochs has everything before it in common.
answers.right("from the end").code("""
    def answer(follower, leader):
        end = min(len(follower), len(leader))
        while end and follower[end - 1] != leader[end - 1]:
            end -= 1
        return end
""")

# Keeps every record of an epoch that the leader's log knows, however far that epoch went there. Plausible: right
# for the shortest logs.
answers.plausible("common epochs", reason="where the leader has nothing").code("""
    def answer(follower, leader):
        return len([epoch for epoch in follower if epoch in leader])
""")

# Compares lengths only. Plausible: right where one log is the beginning of the other.
answers.plausible("the shorter log", reason="Two replicas would hold different records there for good").code("""
    def answer(follower, leader):
        return min(len(follower), len(leader))
""")

# Throws everything away and copies anew, to be on the safe side.
answers.wrong("begins anew", reason="where both logs hold the same record").code("""
    def answer(follower, leader):
        return 0
""")

# Looks beyond the end of the shorter log.
answers.wrong("fails at the end", reason="fails with IndexError").code("""
    def answer(follower, leader):
        offset = 0
        while follower[offset] == leader[offset]:
            offset += 1
        return offset
""")

# Cuts nothing.
answers.wrong("keeps everything", reason="where the leader has nothing").code("""
    def answer(follower, leader):
        return len(follower)
""")

# Names the last offset that both have, not the one after it.
answers.wrong("last common offset", reason="the follower's new log end is an offset from 0").code("""
    def answer(follower, leader):
        end = min(len(follower), len(leader))
        for offset in range(end):
            if follower[offset] != leader[offset]:
                return offset - 1
        return end if end == len(follower) else end - 1
""")

# Keeps each record whose epoch is at most the epoch of the leader's newest record.
answers.wrong("older epochs pass", reason="and the leader one of epoch 1").code("""
    def answer(follower, leader):
        newest = max(leader, default=-1)
        kept = [epoch for epoch in follower if epoch <= newest]
        return min(len(kept), len(leader))
""")

"""Answers to the exercise 02b."""

from tests.course.answers import Answers

answers = Answers("02b")

# Counts up while enough replicas are in sync and every one of them has the offset.
answers.right("count upwards").code("""
    def answer(before, ends, in_sync, minimum):
        offset = before
        while len(in_sync) >= minimum and all(offset < ends[broker] for broker in in_sync):
            offset += 1
        return offset
""")

# Sorts the brokers in sync by their log ends, and takes the middle of three numbers.
answers.right("sort and take the first").code("""
    def answer(before, ends, in_sync, minimum):
        first, *_ = sorted(in_sync, key=lambda broker: ends[broker])
        most = ends[first] if len(in_sync) >= minimum else before
        return sorted([before, most, max(ends.values())])[1]
""")

# Waits for replicas that are not in sync. Plausible: right while all are in sync.
answers.plausible("all replicas", reason="nobody waits for it").code("""
    def answer(before, ends, in_sync, minimum):
        return min(ends.values())
""")

# Shows records that only the leader has, when the leader is alone. Plausible: Kafka's own rule before 3.7.
answers.plausible("does not count them", reason="min.insync.replicas asks for 2 replicas, and 1 is in sync").code("""
    def answer(before, ends, in_sync, minimum):
        return max(before, min(ends[broker] for broker in in_sync))
""")

# Moves the high watermark back when a new leader has not heard of its followers. Plausible: right while nobody
# leads anew.
answers.plausible("goes back", reason="it is not taken back").code("""
    def answer(before, ends, in_sync, minimum):
        if len(in_sync) < minimum:
            return before
        return min(ends[broker] for broker in in_sync)
""")

# Counts a majority, as other protocols do. Plausible: right for one replica, and for two.
answers.plausible("majority", reason="is in sync and has only the offsets below").code("""
    def answer(before, ends, in_sync, minimum):
        if len(in_sync) < minimum:
            return before
        reached = sorted((ends[broker] for broker in in_sync), reverse=True)
        return max(before, reached[len(in_sync) // 2])
""")

# Counts replicas, in sync or not, against min.insync.replicas.
answers.wrong(
    "counts all replicas",
    ("if len(in_sync) < minimum:", "if len(ends) < minimum:"),
    reason="min.insync.replicas asks for 2 replicas, and 1 is in sync",
)

# Shows nothing while too few are in sync.
answers.wrong("nothing while they are few", ("return before", "return 0"), reason="it is not taken back")

# Leaves the leader out, and fails when it is alone.
answers.wrong("followers only", reason="fails with ValueError").code("""
    def answer(before, ends, in_sync, minimum):
        return min(ends[broker] for broker in in_sync[1:])
""")

# Names the last committed offset, not the one after it.
answers.wrong("last offset", reason="a log's end is the offset of the next record").code("""
    def answer(before, ends, in_sync, minimum):
        return min(ends[broker] for broker in in_sync) - 1
""")

# Takes the longest log of all.
answers.wrong("the furthest", reason="is in sync and has only the offsets below").code("""
    def answer(before, ends, in_sync, minimum):
        return max(ends.values())
""")

# Takes all that the leader has for committed.
answers.wrong("the leaders end", reason="is in sync and has only the offsets below 3").code("""
    def answer(before, ends, in_sync, minimum):
        return ends[in_sync[0]]
""")

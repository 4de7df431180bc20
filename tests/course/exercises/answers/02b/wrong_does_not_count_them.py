# Plausible: Kafka's own rule before 3.7.
"""Shows what the leader alone has, when it is alone."""

REASON = "of the 2 replicas that min.insync.replicas asks for, 1 is in sync"


def answer(before, ends, in_sync, minimum):
    return max(before, min(ends[broker] for broker in in_sync))

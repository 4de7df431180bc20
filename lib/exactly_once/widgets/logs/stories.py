"""Stories for the log viewer: settings to begin with, and steps, each an action with the sentence that announces
it.
"""

from dataclasses import dataclass

NONE = "none"


@dataclass(frozen=True)
class Story:
    """`settings` are the log's, `acks` and the two modes those of the controls; `steps` are (action, value,
    words).
    """

    title: str
    settings: dict
    steps: tuple
    acks: str = "all"
    replication: str = "manual"
    elections: str = "auto"


STORIES = {
    "leader-alone": Story(
        "acks=1, the leader dies",
        {"partitions": 1},
        (
            ("send", "ann", "A record is sent with acks=1: the leader has to have it, nobody else."),
            ("kill", "0", "The leader dies before a follower has fetched the record. Is the record still there?"),
            ("send", "bob", "Another record is sent, to the new leader. Which offset will it get?"),
            ("revive", "0", "The old leader comes back, with the first record in its log."),
            ("replicate", None, "It fetches from the new leader. What becomes of its own record?"),
        ),
        acks="1",
    ),
    "in-sync": Story(
        "acks=all, two leaders die",
        {"partitions": 1},
        (
            ("send", "ann", "A record is sent with acks=all: its producer waits."),
            ("replicate", None, "The followers fetch: they copy the record."),
            ("replicate", None, "They fetch again, and by that tell the leader what they have. May it answer now?"),
            ("kill", "0", "The leader dies."),
            ("kill", "1", "The next one dies as well. One in-sync replica is left: is the record still there?"),
            ("read", None, "A consumer reads."),
        ),
    ),
    "unclean": Story(
        "an unclean election",
        {"partitions": 1},
        (
            ("send", "ann", "A record is sent with acks=all."),
            ("catch_up", None, "The followers fetch until they have it."),
            ("send", "bob", "Another one is sent; but from here on the followers are too slow."),
            ("shrink", "0|1", "The leader waits no longer for broker 1: it leaves the in-sync replicas."),
            ("shrink", "0|2", "Nor for broker 2. All in-sync replicas have the record now: the leader itself."),
            ("kill", "0", "The only in-sync replica dies. Who can lead?"),
            ("elect", "0|clean", "An election is called. Only an in-sync replica may win it."),
            ("elect", "0|unclean", "An unclean election is called: any replica that lives may win it. What is lost?"),
            ("revive", "0", "Broker 0 comes back."),
            ("catch_up", None, "It follows the new leader."),
        ),
    ),
    "min-insync": Story(
        "the same with min.insync.replicas=2",
        {"partitions": 1, "min_insync_replicas": 2},
        (
            ("send", "ann", "A record is sent with acks=all; two replicas must have it."),
            ("catch_up", None, "The followers fetch until they have it."),
            ("shrink", "0|2", "Broker 2 is slow and leaves the in-sync replicas. Two are left: enough."),
            ("send", "bob", "Another record is sent."),
            ("fetch", "0|1", "Broker 1 fetches it."),
            ("fetch", "0|1", "Broker 1 fetches again."),
            ("shrink", "0|1", "Broker 1 is slow as well, and leaves."),
            ("send", "cid", "A third record is sent. One in-sync replica is too few: what does the producer hear?"),
            ("kill", "0", "The leader dies."),
            ("elect", "0|unclean", "Even an unclean election is called. Is anything lost that was acknowledged?"),
        ),
    ),
    "kip-101": Story(
        "KIP-101: a restart, then a death",
        {"partitions": 1, "min_insync_replicas": 2, "truncation": "high watermark"},
        (
            ("send", "ann", "A record is sent with acks=all."),
            ("catch_up", None, "The followers fetch until they have it, and know that it is committed."),
            ("send", "bob", "Another one is sent."),
            ("replicate", None, "The followers copy it."),
            ("replicate", None, "They fetch again: it is committed. Does every follower know that already?"),
            (
                "bounce",
                "1",
                "Broker 1 restarts unnoticed. By the old rule it cuts its log at its own high watermark.",
            ),
            ("kill", "0", "The leader dies before broker 1 has fetched again. Who leads, and what is lost?"),
            ("catch_up", None, "Broker 2 still has the record. It follows the new leader: what becomes of it?"),
            ("read", None, "A consumer reads."),
        ),
    ),
}

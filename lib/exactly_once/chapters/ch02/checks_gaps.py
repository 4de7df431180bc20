"""The gaps of chapter 02: fetches, an audit, an invariant, a producer's send, and what a consumer commits."""

from types import SimpleNamespace

from ...exercises.kinds.compared import Compared
from ...log import Consumer, Producer, open_log

ITEMS: dict = {}  # {name: item}

# 02-answer-fetch: what a leader answers to a follower's fetch, and what it knows from then on.

STORIES = (  # what is appended, or (which follower asks, for which offset)
    ("tea", (1, 0), (2, 0), (1, 1), (2, 1)),
    ("tea", "cake", (1, 0), (1, 2), (2, 0), (2, 2)),
    ("tea", (1, 0), (2, 0), "cake", (1, 1), (2, 1), (2, 2), (1, 2)),
    ("tea", (1, 0), (2, 0), (2, 1), "cake", (2, 1), (2, 2), (1, 1), (1, 2)),
)


def ask_fetch(answers, *story):
    """Let a leader live through a story; return its answer to the last fetch, and its high watermark then."""
    leader, said = SimpleNamespace(records=[], ends={1: 0, 2: 0}, high_watermark=0), None
    for step in story:
        if isinstance(step, str):
            leader.records.append(step)
        else:
            said = answers(leader, *step)
    if said is None and not leader.high_watermark:
        return None
    return {"answer": said, "leader.high_watermark": leader.high_watermark}


def told_story(*story):
    """Tell a story."""
    asked = "Follower {} asks for offset {}."
    lines = [f"The leader appends {one}." if isinstance(one, str) else asked.format(*one) for one in story]
    return f"{' '.join(lines)} Your function"


ITEMS["02-answer-fetch"] = Compared(
    cases=[
        story[:end] for story in STORIES for end in range(1, len(story) + 1) if not isinstance(story[end - 1], str)
    ],
    ask=ask_fetch,
    told=told_story,
    praise="The offset in a request says what the follower has. A record is committed when all in-sync replicas have "
    "it.",
)

# 02-audit: acknowledged records that are lost, and duplicates.


def ask_audit(audit, acknowledged, readable):
    """Return what an audit finds, each part in order; anything else as it is."""
    said = audit(list(acknowledged), list(readable))
    parts = isinstance(said, (tuple, list)) and all(isinstance(part, (list, tuple, set, frozenset)) for part in said)
    return [sorted(part) for part in said] if parts else said


ITEMS["02-audit"] = Compared(
    cases=(  # the numbers of the acknowledged records, and of the readable records
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 3]),
        ([1, 2, 3], [1, 2, 2, 3]),
        ([1, 2, 3], [1, 3, 3]),
        ([1, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 2, 3, 1, 2, 3]),
        ([1, 2, 3, 4], [4, 4, 2, 2, 2]),
        ([], [1]),
        ([1], [1, 2, 2]),
    ),
    ask=ask_audit,
    why="lost is what was acknowledged and is not readable; doubled is what is readable more than once",
    praise="Your audit finds a loss even where a doubled record makes the two lists equally long.",
)

# 02-nothing-lost: the invariant of a replicated partition: each acknowledged record is there.


ITEMS["02-nothing-lost"] = Compared(
    cases=(  # the acknowledged records, and the leader's log (None without a leader)
        ([], ["tea"]),
        ([(0, "tea")], ["tea"]),
        ([(0, "tea")], None),
        ([(0, "tea")], []),
        ([(0, "tea")], ["tea", "cake"]),
        ([(0, "tea"), (1, "cake")], ["tea"]),
        ([(0, "tea"), (0, "cake")], ["cake"]),
        ([(1, "cake")], ["tea", "cake"]),
        ([(0, "tea")], ["cake"]),
        ([(0, "tea")], ["cake", "tea"]),
    ),
    praise="Your invariant holds where nothing was acknowledged and where nobody leads, and breaks where an "
    "acknowledged record is missing.",
)

# 02-send: put a record with a key into the partition where it belongs.

SENT = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("ann", "tea"), ("dora", "juice"))


def ask_send(send, partitions, records):
    """Send so many records; return the answer to the last, and the topic."""
    topic, said = [[] for _ in range(partitions)], None
    for record in SENT[:records]:
        said = send(topic, *record)
    return {"answer": said, "topic": topic} if said is not None or any(topic) else None


ITEMS["02-send"] = Compared(
    cases=[(partitions, records) for partitions in (3, 2, 1) for records in range(1, len(SENT) + 1)],
    ask=ask_send,
    told=lambda partitions, records: (
        f"With {partitions} partition{'s' * (partitions > 1)}, sending {SENT[records - 1]}"
    ),
    why="the pair goes to the end of the log that partition_for names, and the answer is that partition and the "
    "offset there",
    praise="Equal keys go to one partition, and stand there in the order in which they came.",
)

# 02-to-commit: which positions a consumer has to commit when some of its records are done.

ORDERS = (("ann", "tea"), ("bob", "coffee"), ("ann", "cake"), ("bob", "milk"), ("ann", "scone"), ("bob", "juice"))


def done(before, end):
    """Return the records that are done now, of a log of orders in three partitions."""
    log = open_log("memory:")
    log.create_topic("orders", partitions=3)
    producer = Producer(log)
    for key, value in ORDERS:
        producer.send("orders", value, key=key)
    return Consumer(log, "orders").poll()[before:end]


def ask_positions(to_commit, before, end):
    """Return what a function commits."""
    return to_commit(done(before, end))


def told_done(before, end):
    """Name the records that are done."""
    earlier, now = (", ".join(record.value for record in done(*part)) for part in ((0, before), (before, end)))
    return f"{f'Committed before: {earlier}. ' * bool(before)}Done: {now or 'nothing'}. Your function"


ITEMS["02-to-commit"] = Compared(
    # how many were committed before, and are done by now
    cases=((0, 1), (0, 2), (0, 6), (0, 5), (0, 0), (2, 4), (3, 4)),
    ask=ask_positions,
    told=told_done,
    why="each partition has one position, that of the next record",
    praise="A successor begins with the first record that is not done, in each partition.",
)

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


ANSWER = "leader.records[offset:], leader.high_watermark"

ITEMS["02-answer-fetch"] = Compared(
    cases=[
        story[:end] for story in STORIES for end in range(1, len(story) + 1) if not isinstance(story[end - 1], str)
    ],
    ask=ask_fetch,
    told=told_story,
    mistakes={
        "the answer may be lost, so the leader knows only what the follower asks for": (
            "= offset",
            "= len(leader.records)",
        ),
        "the other follower may have nothing yet, and may be the next leader": ("min(", "max("),
        "the high watermark goes up to what all of them have, not to what the asking follower has": (
            "min(leader.ends.values())",
            "offset",
        ),
        "the high watermark is the first offset that some broker may lack": (
            "min(leader.ends.values())",
            "max(0, min(leader.ends.values()) - 1)",
        ),
        "the answer begins with the record at the offset that was asked for": ("[offset:]", ""),
        "the record at this offset is the first that the follower lacks": ("[offset:]", "[offset + 1 :]"),
        "the answer has all records from the offset on": ("[offset:]", "[offset : offset + 1]"),
        "the leader keeps the high watermark in leader.high_watermark": [
            ("    leader.high_watermark = min(leader.ends.values())\n", ""),
            ("[offset:], leader.high_watermark", "[offset:], min(leader.ends.values())"),
        ],
        "the answer is a pair, the records and the high watermark": (ANSWER, "leader.records[offset:]"),
        "the offset in a request says what the follower has: keep it": (
            "    leader.ends[follower] = offset\n    leader.high_watermark = min(leader.ends.values())\n",
            "",
        ),
        "the answer takes the high watermark after this fetch": [
            ("    leader.ends[follower]", "    before = leader.high_watermark\n    leader.ends[follower]"),
            (ANSWER, "leader.records[offset:], before"),
        ],
    },
    right=[("min(leader.ends.values())", "max(leader.high_watermark, *[sorted(leader.ends.values())[0]] * 2)")],
    praise="The offset in a request says what the follower has. A record is committed when all in-sync replicas have "
    "it.",
)

# 02-audit: acknowledged records that are lost, and duplicates.


def ask_audit(audit, acknowledged, readable):
    """Return what an audit finds, each part in order; anything else as it is."""
    said = audit(list(acknowledged), list(readable))
    parts = isinstance(said, (tuple, list)) and all(isinstance(part, (list, tuple, set, frozenset)) for part in said)
    return [sorted(part) for part in said] if parts else said


FOUND = "return lost, doubled"

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
    mistakes={
        "return two lists, the numbers that are lost and the numbers that are there twice": (FOUND, "return lost"),
        "the lost ones come first": (FOUND, "return doubled, lost"),
        "name each record once, however often it is there": (
            "sorted({number for number in readable if readable.count(number) > 1})",
            "[number for number in readable if readable.count(number) > 1]",
        ),
        "two lists of equal length may hold different numbers": (
            "lost = [",
            "lost = [] if len(acknowledged) == len(readable) else [",
        ),
        "a record that was never acknowledged was never promised": (
            "[number for number in acknowledged if number not in readable]",
            "sorted(set(acknowledged) ^ set(readable))",
        ),
        "a record that a reader finds once is not doubled, even if it was never acknowledged": (
            "readable.count(number) > 1",
            "readable.count(number) > acknowledged.count(number)",
        ),
        "a record may be there twice although it was never acknowledged": (
            "number for number in readable if",
            "number for number in acknowledged if",
        ),
    },
    right=[(FOUND, "return [frozenset(lost), tuple(doubled)]")],
    praise="Your audit finds a loss even where a doubled record makes the two lists equally long.",
)

# 02-nothing-lost: the invariant of a replicated partition: each acknowledged record is there.

THERE = "all(leader[offset : offset + 1] == [value] for offset, value in acknowledged)"

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
    mistakes={
        "a record that nobody was told about may be there, too": (
            THERE,
            "[value for _, value in acknowledged] == leader",
        ),
        "let it return True or False": (THERE, "[one for one in acknowledged if one not in list(enumerate(leader))]"),
        "nothing is lost while nobody leads": ("return True", "return not acknowledged"),
        "an acknowledged record is missing: the invariant is broken": (THERE, "True"),
        "a log may end before the offset of a record, which is lost then": (
            "leader[offset : offset + 1] == [value]",
            "leader[offset] == value",
        ),
        "while nobody leads there is no log to look into": ("    if leader is None:\n        return True\n", ""),
        "a log with as many records need not hold the same records": (THERE, "len(leader) >= len(acknowledged)"),
        "what was acknowledged need not begin at offset 0": (
            THERE,
            "leader[: len(acknowledged)] == [value for _, value in acknowledged]",
        ),
        "at the offset of the record the log holds something else": (
            "leader[offset : offset + 1] == [value] for",
            "value in leader for",
        ),
    },
    right=[(THERE, "set(acknowledged) <= set(enumerate(leader))")],
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


OFFSET = "len(topic[partition]) - 1"

ITEMS["02-send"] = Compared(
    cases=[(partitions, records) for partitions in (3, 2, 1) for records in range(1, len(SENT) + 1)],
    ask=ask_send,
    told=lambda partitions, records: (
        f"With {partitions} partition{'s' * (partitions > 1)}, sending {SENT[records - 1]}"
    ),
    why="the pair goes to the end of the log that partition_for names, and the answer is that partition and the "
    "offset there",
    mistakes={
        "return the partition and the offset": ("    return partition, len(topic[partition]) - 1\n", ""),
        "offsets are counted from 0": (" - 1", ""),
        "a log holds pairs, (key, value)": ("(key, value)", "value"),
        "partition_for says where a key belongs, and all its records stand there": (
            "partition_for(key, len(topic))",
            "sum(map(len, topic)) % len(topic)",
        ),
        "a log grows at its end": ("append((key, value))", "insert(0, (key, value))"),
        "nothing that stands in a log is taken away": (
            ".append((key, value))",
            "[:] = [one for one in topic[partition] if one[0] != key] + [(key, value)]",
        ),
        "it is the key that partition_for asks for, not the value": ("partition_for(key,", "partition_for(value,"),
        "offsets are counted in each partition by itself": (OFFSET, "sum(map(len, topic)) - 1"),
        "the record has to be in the topic that was given": (
            "topic[partition].append((key, value))",
            "topic = [log + [(key, value)] * (place == partition) for place, log in enumerate(topic)]",
        ),
        "the partition comes first, then the offset": (
            "return partition, len(topic[partition]) - 1",
            "return len(topic[partition]) - 1, partition",
        ),
        "an equal record may stand there already": (OFFSET, "topic[partition].index((key, value))"),
        "the topic has as many partitions as it has logs": ("len(topic)", "3"),
    },
    right=[
        [
            ("topic[partition].append((key, value))", "topic[partition] += [(key, value)]"),
            ("return partition, len(topic[partition]) - 1", "return [partition, len(topic[partition]) - 1]"),
        ]
    ],
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
    mistakes={
        "a position is that of the next record: the successor reads the last one again": ("+ 1 ", ""),
        "the successor skips a record": ("offset + 1", "offset + 2"),
        "return a dictionary from partition to offset": (
            "{record.partition: record.offset + 1 for record in done}",
            "[(record.partition, record.offset + 1) for record in done]",
        ),
        "a position belongs to a partition, not to a key": ("record.partition", "record.key"),
        "a partition of which nothing is done keeps the position that it has": (
            "return {",
            "return {0: 0, 1: 0, 2: 0} | {",
        ),
        "each partition has a position of its own": ("record.offset + 1", "len(done)"),
        "the last record of each partition counts, not the last of all": (
            "{record.partition: record.offset + 1 for record in done}",
            "{record.partition: record.offset + 1 for record in done[-1:]}",
        ),
        "of several records of a partition the last one counts": ("for record in done", "for record in done[::-1]"),
        "how many are done now does not say how many were done before": (
            "record.offset + 1",
            "sum(other.partition == record.partition for other in done)",
        ),
    },
    right=[("for record in done", "for record in sorted(done, key=lambda one: one.offset)")],
    praise="A successor begins with the first record that is not done, in each partition.",
)

"""Large logs of messages, made on the executors: so many events, and chains of messages so long."""

from ...errors import BadInput, is_number, whole
from ..cluster.cluster import checked_session, cluster

EVENTS_OF_A_PART = 200_000  # what one task sorts at a time
REACH = 3  # a message is received at most this many ages after it was sent


def message_log(events=100_000, processes=64, depth=30, seed=1, messages=0.6, spark=None):
    """Return a random log as a Spark DataFrame, a row for each event; nothing of it passes through the driver.

    Its columns: `process` (0, 1, …), `position` (1, 2, … on each process), `kind` ("local", "send" or "receive") and
    `message` (a number, None for a local event). Equal arguments give equal logs, on every cluster.

    events: how many. processes: how many, at least 2. depth: the most messages that a causal path can lead through;
    one path leads through so many. messages: the share of events that are sends or receives. seed: any whole number.

    How the depth is bounded: time is cut into `depth` + 1 ages, and a message is received in a later age than it was
    sent in, so a path through messages goes from age to age. Messages overtake each other, and every one arrives.

    Raises `BadInput` for numbers that make no sense, and for too few messages to make a chain of `depth`.
    """
    whole("events", events, least=2)
    whole("processes", processes, least=2, most=1_000_000)
    whole("depth", depth, least=1, most=10_000)
    whole("seed", seed, least=-(2**62), most=2**62)
    if not is_number(messages) or not 0 < messages <= 1:
        raise BadInput(f"messages is {messages!r}; it is a share of all events, above 0 and up to 1, such as 0.6.")
    count = int(events * messages / 2)
    if count < depth:
        raise BadInput(
            f"{events} events with a share of {messages:g} make {count} messages, too few for a chain of {depth}. "
            "Give more events or a smaller depth."
        )
    spark = cluster() if spark is None else checked_session(spark)
    parts = max(spark.sparkContext.defaultParallelism, -(-events // EVENTS_OF_A_PART))
    sent = _messages(spark, count, processes, depth, seed, parts)
    ends = sent.selectExpr(
        "inline(array(" + _end("send", "sender", "sent") + "," + _end("receive", "receiver", "got") + "))"
    )
    alone = _locals(spark, events - 2 * count, processes, depth, seed, parts)
    return (
        ends.union(alone)
        .repartition(parts, "process")
        .selectExpr(
            "process",
            "CAST(row_number() OVER (PARTITION BY process ORDER BY age, turn, kind, message) AS BIGINT) AS position",
            "kind",
            "message",
        )
    )


def _draw(seed, what, below):
    """Return the SQL of a whole number from 0 to `below` - 1, drawn for the column `id`, the same on every
    machine.
    """
    return f"pmod(xxhash64({seed}L, '{what}', id), {below})"


def _messages(spark, count, processes, depth, seed, parts):
    """Return the messages: who sends in which age, who receives in which. The first `depth` of them are one chain."""
    random = spark.range(0, count, 1, parts).selectExpr(
        "id",
        f"id < {depth} AS chain",
        f"IF(id < {depth}, id % {processes}, {_draw(seed, 'sender', processes)}) AS sender",
        f"IF(id < {depth}, 0, {_draw(seed, 'distance', processes - 1)}) AS distance",
        f"IF(id < {depth}, id, {_draw(seed, 'age', depth)}) AS sent",
        f"IF(id < {depth}, 0, {_draw(seed, 'reach', REACH)}) AS reach",
        f"{_draw(seed, 'turn of the send', 2**31)} AS sends",
        f"{_draw(seed, 'turn of the receive', 2**31)} AS receives",
    )
    return random.selectExpr(
        "id AS message",
        "sender",
        f"(sender + 1 + distance) % {processes} AS receiver",
        "sent",
        f"least(sent + 1 + reach, {depth}) AS got",
        f"IF(chain, {2**31}, sends) AS send_turn",  # the chain's message comes in first and goes out last in its age
        "IF(chain, -1, receives) AS receive_turn",
    )


def _end(kind, process, age):
    return (
        f"named_struct('process', {process}, 'age', {age}, 'turn', {kind}_turn, 'kind', '{kind}', 'message', message)"
    )


def _locals(spark, count, processes, depth, seed, parts):
    return spark.range(0, count, 1, parts).selectExpr(
        f"{_draw(seed, 'place', processes)} AS process",
        f"{_draw(seed, 'age of a local', depth + 1)} AS age",
        f"{_draw(seed, 'turn of a local', 2**31)} AS turn",
        "'local' AS kind",
        "CAST(NULL AS BIGINT) AS message",
    )

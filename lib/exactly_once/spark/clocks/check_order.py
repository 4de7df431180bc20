"""Check that a sort order of events keeps causes before effects: for one order of rows, and as a Spark job."""

import random

import pandas

from ...errors import BadInput, whole
from ..cluster.cluster import checked_session, cluster
from .conversation import Conversation

FIRST = {  # the SQL of "event a stands before event b"
    "stamp": "struct(a.stamp, a.process) < struct(b.stamp, b.process)",
    "clock": "struct(a.clock, a.process, a.event) < struct(b.clock, b.process, b.event)",
}
CAUSE = "coalesce(b.knows[a.process], 0) >= a.event"  # a → b: b's knowledge of a's process includes a
CLAIMS = (  # the claim, its pairs (join columns and a condition), and its condition on them
    ("a message: its send stands before its receive", "message", "a.kind = 'send' AND b.kind = 'receive'", "first"),
    ("a → b, so a stands before b", "sampled", CAUSE, "first"),
    ("a stands before b, so a → b (the converse)", "sampled", "first", CAUSE),
)


def effects_before_causes(table):
    """Return the messages that a sorted table shows as received before they were sent: message, place of both rows.

    `table` is a pandas DataFrame with columns `kind` and `message`, its rows in the order that is in question.
    """
    if not isinstance(table, pandas.DataFrame) or not {"kind", "message"} <= set(table.columns):
        raise BadInput(f"The table is {type(table).__name__}; give a DataFrame with columns kind and message.")
    rows = table.reset_index(drop=True)
    sent, received = (
        rows[rows["kind"] == kind].reset_index(names=column)[["message", column]]
        for kind, column in (("receive", "received at row"), ("send", "sent at row"))
    )
    both = sent.merge(received, on="message")
    return both[both["received at row"] < both["sent at row"]].reset_index(drop=True)


def verify(conversation, sample=100, seed=1, spark=None):
    """Check every message, and all pairs of a sample of events, in a Spark job. Returns a pandas DataFrame.

    It has a row for each claim and each order ("stamp": by stamp, then by process; "clock": by the wrong wall
    clocks): `claim`, `order`, how many `pairs` were looked at, and how many of them broke it. Vector stamps, which
    need only the messages, tell the order "happened before". The last claim, the converse, is false, and is there to
    be seen.

    `sample` is how many events at most, `seed` which. Raises `BadInput` for anything but a `Conversation`.
    """
    if not isinstance(conversation, Conversation):
        raise BadInput(f"The conversation is {conversation!r:.60}; give what exchange_messages() returned.")
    from pyspark.sql import functions

    whole("sample", sample, least=2)
    spark = cluster() if spark is None else checked_session(spark)
    places = random.Random(seed).sample(range(len(conversation.table)), min(sample, len(conversation.table)))
    events = frame(conversation, spark)
    events = events.withColumn("sampled", functions.when(events.place.isin(places), True)).persist()
    try:
        found = {join: _counts(events, join) for join in ("message", "sampled")}
    finally:
        events.unpersist()
    rows = [(claim[0], order, *found[claim[1]][claim[0], order]) for claim in CLAIMS for order in FIRST]
    return pandas.DataFrame(rows, columns=["claim", "order", "pairs", "broken"])


def _counts(events, join):
    """Return {(claim, order): (pairs, broken)} of the claims on pairs with equal values in the column `join`."""
    claims = [(claim, order) for claim in CLAIMS if claim[1] == join for order in FIRST]
    columns = []
    for (_, _, premise, conclusion), order in claims:
        premise, conclusion = (part.replace("first", FIRST[order]) for part in (premise, conclusion))
        columns += [f"count_if({premise})", f"count_if({premise} AND NOT ({conclusion}))"]
    pairs = f"{{events}} a JOIN {{events}} b ON a.{join} = b.{join} AND a.place <> b.place"
    query = f"SELECT /*+ BROADCAST(b) */ {', '.join(columns)} FROM {pairs}"
    numbers = events.sparkSession.sql(query, events=events).first()
    return {(claim[0], order): tuple(numbers[2 * at : 2 * at + 2]) for at, (claim, order) in enumerate(claims)}


def frame(conversation, spark=None):
    """Return a conversation as a Spark DataFrame: its table, and `place`, and `knows`, the vector stamp as a map."""
    spark = cluster() if spark is None else checked_session(spark)
    table, vectors = conversation.table, conversation.history.vectors
    rows = [
        (place, *row[:-1], row[-1].to_pydatetime(), vectors[place])
        for place, row in enumerate(table.itertuples(index=False, name=None))
    ]
    types = "place int, process string, event int, kind string, message string, stamp long, clock timestamp"
    return spark.createDataFrame(rows, f"{types}, knows map<string, int>")

"""What `stamping` has its tasks do, done without Spark: the same functions, dictionaries in place of shuffles."""

from collections import defaultdict

import numpy
import pandas
import pyarrow

from exactly_once.spark.clocks import blocks


def home(records):
    """Bring records to the parts of their numbers."""
    parts = defaultdict(list)
    for number, value in records:
        parts[int(number)].append((number, value))
    return parts


def each(parts, work):
    """Let a task's function work on each part."""
    return [record for number in sorted(parts) for record in work(iter(parts[number]))]


def stamp_blocks(log, parts):
    """Return (stamps by (process, position), passes), or the sentence that says what is wrong with a log."""
    numbers = {"local": 0, "send": 1, "receive": 2}
    table = pyarrow.table(
        {
            "process": pyarrow.array(log["process"], pyarrow.int64()),
            "position": pyarrow.array(log["position"], pyarrow.int64()),
            "kind": pyarrow.array([numbers.get(kind, -1) for kind in log["kind"]], pyarrow.int8()),
            "message": pyarrow.array(
                [-1 if pandas.isna(one) else int(one) for one in log["message"]], pyarrow.int64()
            ),
        }
    )
    pieces = [
        (number, piece)
        for batch in blocks.cut(parts)(table.to_batches(max_chunksize=7))
        for number, piece in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]
    whole = each(home(pieces), blocks.gather)
    if wrong := [value.sentence for _, value in whole if isinstance(value, blocks.Wrong)]:
        return wrong[0]
    known = each(home(each(home(whole), blocks.ends(parts))), blocks.meet)
    posts = each(home([*whole, *known]), blocks.address)
    if wrong := [value.sentence for _, value in posts if isinstance(value, blocks.Wrong)]:
        return wrong[0]
    waiting, mail, number = sum(blocks.summary(value) for _, value in posts), [], 0
    while waiting:
        number += 1
        fresh = each(home(each(home([*posts, *mail]), blocks.deliver(number))), blocks.bundle)
        if not fresh:
            return "a circle"
        waiting -= sum(len(value.stamp) for _, value in fresh)
        mail += fresh
    done = pyarrow.Table.from_batches(
        batch
        for (piece,) in each(home([*whole, *mail]), blocks.finish)
        for batch in blocks.unfold([pyarrow.RecordBatch.from_arrays([pyarrow.array([piece])], ["piece"])])
    ).to_pandas()
    assert numpy.array_equal(done["kind"].sort_values(), log["kind"].sort_values())
    return done.set_index(["process", "position"])["stamp"].to_dict(), number + 1

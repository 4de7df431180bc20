"""Exercise 02a: a partitioner that agrees with Kafka's on every key."""

import zlib

import pandas as pd

from .... import show as drawing
from ....log import murmur2, partition_for
from ..cases import CasesTask
from ..run_answer import called

KEYS = (b"21", b"foobar", b"abc", b"", "Grüße".encode(), b"a-little-bit-longer-string", bytes.fromhex("a7d6506c"))
CASES = [(key, partitions) for partitions in (1, 2, 3, 6, 10) for key in KEYS]
AGAIN = [(b"abc", 6)] * 3
ORDERS = [(key, 3) for key in (b"ann", b"bob", b"cleo", b"dora", b"ann", b"eve", b"bob", b"ann")]


def guesses(_, cases):
    """Return what often stands in place of the rule, by name, computed in the learner's process: `hash` differs
    there.
    """
    return {
        "sign": [murmur2(key) % partitions for key, partitions in cases],
        "absolute": [abs(murmur2(key)) % partitions for key, partitions in cases],
        "hash": [hash(key) % partitions for key, partitions in cases],
        "crc": [zlib.crc32(key) % partitions for key, partitions in cases],
    }


WHY = {
    "sign": "The hash is negative for this key. Python's % gives a partition even so, but not the one that Kafka's "
    "clients use: they clear the sign bit first.",
    "absolute": "It takes the absolute value. Kafka's clients clear the sign bit, which is another number for a "
    "negative hash (and in Java the smallest integer has no absolute value).",
    "hash": "It uses Python's own hash, which differs from process to process: two producers would send one key to "
    "two partitions.",
    "crc": "It hashes with CRC-32. That keeps equal keys together, but a producer that uses Kafka's client sends "
    "them elsewhere. Use murmur2.",
}


def objection(key, partitions, said, told):
    """Return a sentence on what is wrong with one answer among all that were `told`, or None."""
    again = [found for _, found in told[len(CASES) :][: len(AGAIN)]]
    if any(found != again[0] for found in again):
        return (
            f"The key b'abc' goes to the partitions {', '.join(map(str, again))} one after the other. Equal keys go "
            "to one partition, or nothing keeps their records in order."
        )
    if not isinstance(said, int) or isinstance(said, bool) or not 0 <= said < partitions:
        return (
            f"For the key {key!r} and {partitions} partitions it says {said!r}; they are numbered from 0 to "
            f"{partitions - 1}."
        )
    if said == partition_for(key, partitions):
        return None
    return (
        f"The key {key!r} belongs to partition {partition_for(key, partitions)} of {partitions}, and your function "
        f"says {said}. {_why([found if fine else None for fine, found in told[: len(CASES)]])}"
    )


def _why(said):
    """Return the sentence on the mistake that gives just these answers, or on the rule."""
    for name, made in called(guesses, None, CASES).items():
        if made == said:
            return WHY[name]
    if all(found == partition_for(*case) for case, found in zip(CASES, said, strict=True) if case[0]):
        return "The empty key is a key like any other; only None means that there is none."
    return "Take murmur2 of the key, clear the sign bit, and then the remainder."


def sketch(told):
    """Return the picture of eight orders in three partitions, as the answer places them."""
    if told is None:
        return drawing.Picture("<p>There is no partitioner yet.</p>", text="There is no partitioner yet.")
    tapes = {partition: [] for partition in range(3)}
    odd = []
    for (fine, said), (key, _) in zip(told, ORDERS, strict=True):
        (tapes[said] if fine and type(said) is int and said in tapes else odd).append(key.decode())
    rows = [(f"partition {number}", " · ".join(keys) or "–") for number, keys in tapes.items()]
    if odd:
        rows.append(("nowhere", " · ".join(odd)))
    table = pd.DataFrame(rows, columns=["where", "the records, by key, in order"])
    words = "Eight orders, sent one after the other"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


TASK = CasesTask(
    title="a partitioner that agrees with Kafka's",
    answer="place",
    signature="a function of a key and a number of partitions",
    cases=[*CASES, *AGAIN, *ORDERS],
    oracle=partition_for,
    objection=objection,
    fails=lambda key, partitions, said, _: f"For the key {key!r} and {partitions} partitions it fails with {said}.",
    draw=lambda key, partitions, said, told: sketch(told[-len(ORDERS) :]),
    sketch=sketch,
    shown=ORDERS,
    sees_all=True,
    praise="Equal keys go to one partition, and every client that follows the rule agrees on which. Mind that "
    "another number of partitions moves the keys.",
    example=CASES[-1],
    hints=(
        "The partition is a remainder of the key's hash. What is the remainder of a negative number, and who else "
        "computes it?",
        "murmur2 gives a signed number of 32 bits. Kafka's clients make it positive by clearing the highest bit, "
        "before they take the remainder.",
        "Clearing the sign bit is `& 0x7FFFFFFF`, seven hexadecimal digits F behind a 7.",
        "return (murmur2(key) & 0x7FFFFFFF) % partitions",
    ),
)

"""Exercise 02a: a partitioner that agrees with Kafka's on every key."""

import zlib

import pandas as pd

from .... import show as drawing
from ....errors import BadInput
from ....log import murmur2, partition_for
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import answers, called
from ..task import Task

KEYS = (b"21", b"foobar", b"abc", b"", "Grüße".encode(), b"a-little-bit-longer-string", bytes.fromhex("a7d6506c"))
CASES = [[key, partitions] for partitions in (1, 2, 3, 6, 10) for key in KEYS]
AGAIN = [[b"abc", 6]] * 3
ORDERS = (b"ann", b"bob", b"cleo", b"dora", b"ann", b"eve", b"bob", b"ann")


def guesses(function, cases):
    """Return what often stands in place of the rule, by name, computed in the learner's process: `hash` differs
    there.

    `function` is the learner's, and is not called.
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


def check(answer):
    """Compare a learner's partitioner with Kafka's, key by key."""
    if has_dots(answer):
        return unsolved("your function")
    if not callable(answer):
        raise BadInput(f"The partitioner is {answer!r}; it is a function of a key and a number of partitions.")
    told = answers(answer, [*CASES, *AGAIN])
    if all(fine and said is None for fine, said in told):
        return unsolved("the body of your function")
    again = [said for _, said in told[len(CASES) :]]
    if any(said != again[0] for said in again):
        return wrong(
            f"The key b'abc' goes to the partitions {', '.join(map(str, again))} one after the other. Equal keys go "
            "to one partition, or nothing keeps their records in order.",
            picture=drawn(answer),
        )
    said = [said if fine else None for fine, said in told[: len(CASES)]]
    for (key, partitions), (fine, found) in zip(CASES, told, strict=False):
        if not fine:
            return wrong(
                f"For the key {key!r} and {partitions} partitions it fails with {found}.", picture=drawn(answer)
            )
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < partitions:
            return wrong(
                f"For the key {key!r} and {partitions} partitions it says {found!r}; they are numbered from 0 to "
                f"{partitions - 1}.",
                picture=drawn(answer),
            )
    for (key, partitions), found in zip(CASES, said, strict=True):
        if found != partition_for(key, partitions):
            return wrong(
                f"The key {key!r} belongs to partition {partition_for(key, partitions)} of {partitions}, and your "
                f"function says {found}. {_why(answer, said)}",
                picture=drawn(answer),
            )
    return right(
        "Equal keys go to one partition, and every client that follows the rule agrees on which. Mind that another "
        "number of partitions moves the keys.",
        picture=drawn(answer),
    )


def _why(answer, said):
    """Return the sentence on the mistake that gives just these answers, or on the rule."""
    for name, made in called(guesses, answer, CASES).items():
        if made == said:
            return WHY[name]
    if said[CASES.index([b"", 10])] == 0 and partition_for(b"", 10) != 0:
        others = [n for n, (key, _) in enumerate(CASES) if key]
        if all(said[n] == partition_for(*CASES[n]) for n in others):
            return "The empty key is a key like any other; only None means that there is none."
    return "Take murmur2 of the key, clear the sign bit, and then the remainder."


def drawn(answer):
    """Return the picture of eight orders in three partitions, as the answer places them."""
    tapes = {partition: [] for partition in range(3)}
    odd = []
    for (fine, said), key in zip(answers(answer, [[key, 3] for key in ORDERS]), ORDERS, strict=True):
        (tapes[said] if fine and type(said) is int and said in tapes else odd).append(key.decode())
    rows = [(f"partition {number}", " · ".join(keys) or "–") for number, keys in tapes.items()]
    if odd:
        rows.append(("nowhere", " · ".join(odd)))
    table = pd.DataFrame(rows, columns=["where", "the records, by key, in order"])
    words = "Eight orders, sent one after the other"
    return drawing.Picture(
        f'<p class="eo-h">{words}</p>{drawing.table_html(table)}', text=f"{words}\n{table.to_string(index=False)}"
    )


def show(answer):
    """Draw where the answer puts eight orders."""
    if has_dots(answer):
        return drawing.Picture("<p>There is no partitioner yet.</p>", text="There is no partitioner yet.")
    if not callable(answer):
        raise BadInput(f"The partitioner is {answer!r}; it is a function of a key and a number of partitions.")
    return drawn(answer)


TASK = Task(
    title="a partitioner that agrees with Kafka's",
    show=show,
    check=check,
    hints=(
        "The partition is a remainder of the key's hash. What is the remainder of a negative number, and who else "
        "computes it?",
        "murmur2 gives a signed number of 32 bits. Kafka's clients make it positive by clearing the highest bit, "
        "before they take the remainder.",
        "Clearing the sign bit is `& 0x7FFFFFFF`, seven hexadecimal digits F behind a 7.",
        "return (murmur2(key) & 0x7FFFFFFF) % partitions",
    ),
)

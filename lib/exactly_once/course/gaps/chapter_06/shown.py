"""Gap 06-shown: how a read_committed reader leaves out aborted records, by the list that the broker sends along."""

import random

from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap


def shown(entries, aborted):
    """Return the values that a read_committed reader gets, in order.

    `entries` are (offset, producer, kind, value), below the last stable offset; `aborted` has (producer, first
    offset) of each aborted transaction with something in them, by first offset.
    """
    values, hidden, waiting = [], set(), list(aborted)
    for offset, producer, kind, value in entries:
        while waiting and waiting[0][1] <= offset:
            hidden.add(waiting.pop(0)[0])
        if kind == "abort":
            hidden.discard(producer)
        elif kind == "record" and producer not in hidden:
            values.append(value)
    return values


def _record(offset, producer, value):
    return offset, producer, "record", value


COLD, WARM = _record(0, 7, "cold"), _record(2, 7, "warm")
CASES = (
    ([COLD, (1, 7, "commit", None)], [], "Nothing was aborted."),
    ([COLD, (1, 7, "abort", None)], [(7, 0)], "The one transaction was aborted."),
    (
        [COLD, (1, 7, "abort", None), WARM, (3, 7, "commit", None)],
        [(7, 0)],
        "Producer 7 was aborted at first, and its next transaction was committed: the abort marker is the end of "
        "what is hidden.",
    ),
    (
        [COLD, (1, 7, "commit", None), WARM, (3, 7, "abort", None)],
        [(7, 2)],
        "Producer 7 was aborted from offset 2 on; what it wrote before was committed.",
    ),
    (
        [COLD, _record(1, 8, "mild"), WARM, (3, 7, "abort", None), _record(4, 8, "hot"), (5, 8, "commit", None)],
        [(7, 0)],
        "The transaction of producer 7 was aborted, that of producer 8, which lies across it, was not.",
    ),
    (
        [_record(5, 7, "cold"), (6, 7, "abort", None), _record(7, None, "mild")],
        [(7, 3)],
        "The reader begins in the middle of an aborted transaction: it began at offset 3, and the first entry here "
        "is at offset 5.",
    ),
    (
        [COLD, _record(1, 8, "mild"), (2, 8, "abort", None), _record(3, 7, "warm"), (4, 7, "abort", None)],
        [(7, 0), (8, 1)],
        "Both were aborted, and the marker of producer 8 says nothing of producer 7.",
    ),
    (
        [COLD, _record(1, 8, "mild"), (2, 8, "commit", None)],
        [(7, 0)],
        "The entries end before the marker of the aborted transaction: only the list says that it was aborted.",
    ),
)


def drawn(seed):
    """Return entries and the list of the aborted, drawn by a seed: three producers, and one without transactions.

    The entries begin somewhere in the log, as those of a fetch do.
    """
    draw, entries, opened, aborted = random.Random(seed), [], {}, []
    while len(entries) < 14 or opened:
        offset, producer = len(entries), draw.choice((None, 7, 8, 9))
        if producer in opened and (draw.random() < 0.5 or len(entries) >= 14):
            kind = draw.choice(("commit", "abort"))
            first = opened.pop(producer)
            if kind == "abort":
                aborted.append((producer, first, offset))
            entries.append((offset, producer, kind, None))
        elif len(entries) < 14:
            if producer is not None:
                opened.setdefault(producer, offset)
            entries.append((offset, producer, "record", f"value {offset}"))
    start = draw.randrange(5)
    listed = sorted((first, producer) for producer, first, marker in aborted if marker >= start)
    return entries[start:], [(producer, first) for first, producer in listed]


def check(answer):
    """Ask about eight portions of a log, and about fifty that are drawn."""
    cases = [*CASES, *((*drawn(seed), "This portion was drawn by chance.") for seed in range(50))]
    found = answers(answer, [[list(entries), list(aborted)] for entries, aborted, _ in cases])
    if all(went and said in (None, ..., []) for went, said in found):
        return unsolved("your lines")
    for (entries, aborted, why), (went, said) in zip(cases, found, strict=True):
        asked = f"shown({entries}, {aborted})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        wanted = shown(entries, aborted)
        if not isinstance(said, (list, tuple)) or list(said) != wanted:
            return wrong(f"{asked} returns {said!r}; it should return {wanted}. {why}")
    return right("It shows what was committed, in eight portions of a log and in fifty that were drawn by chance.")


GAP = Gap(
    title="a reader that leaves out the aborted",
    judge=check,
    library=shown,
    hints=(
        "A producer has one transaction at a time in a partition. From which offset on are its records hidden, and "
        "which entry ends that?",
        "Before each entry: every pair of `waiting` whose first offset is not above `offset` puts its producer into "
        "`hidden`, and is used up. An abort marker takes its producer out again.",
        '`while waiting and waiting[0][1] <= offset: hidden.add(waiting.pop(0)[0])`, then `if kind == "abort": '
        'hidden.discard(producer)`, `elif kind == "record" and producer not in hidden: values.append(value)`.',
    ),
)

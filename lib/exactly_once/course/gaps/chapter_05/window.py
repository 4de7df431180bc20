"""Gap 05-window: how Kafka's broker recognises a batch that it has already."""

from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import answers
from ..registry import Gap

SIX = [(0, 0, 0), (1, 3, 1), (4, 4, 4), (5, 6, 5), (7, 7, 7), (8, 9, 8)]
CASES = (
    ([], 0, 0, None, "Nothing of this producer is there."),
    (SIX[:1], 0, 0, 0, "It is the one batch that is there; its offset is 0."),
    (SIX, 8, 9, 8, "It is the newest batch."),
    (SIX, 1, 3, 1, "It is the fifth newest batch."),
    (SIX, 0, 0, None, "It is the sixth newest batch, and Kafka's broker keeps five."),
    (SIX, 10, 10, None, "It is the next batch, and is not there yet."),
    (SIX, 5, 5, None, "The batch 5 to 6 begins with the same number, and ends with another."),
    (SIX, 6, 6, None, "The batch 5 to 6 ends with the same number, and begins with another."),
    (SIX, 2, 3, None, "A part of a batch is another batch: first and last number have to agree."),
    (SIX, 8, 12, None, "The batch 8 to 9 begins with the same number, and ends with another."),
)


def known(batches, first, last):
    """Return the offset of the batch with these numbers, if it is among the newest five; else None."""
    for known_first, known_last, offset in batches[-5:]:
        if (known_first, known_last) == (first, last):
            return offset
    return None


def check(answer):
    """Ask for batches that are in the window, out of it, and partly in it."""
    found = answers(answer, [[list(batches), first, last] for batches, first, last, *_ in CASES])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (batches, first, last, offset, why), (went, said) in zip(CASES, found, strict=True):
        asked = f"known({batches}, {first}, {last})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        if said is True or said is False or said != offset:
            return wrong(f"{asked} returns {said!r}; it should return {offset}. {why}")
    return right("It knows the newest five by their first and last numbers, and tells offset 0 from nothing.")


GAP = Gap(
    title="recognise a batch",
    judge=check,
    library=known,
    hints=(
        "What two numbers name a batch? And which of the batches are kept at all?",
        "`batches[-5:]` are the newest five, or all if there are fewer. Each is (first, last, offset).",
        "`for known_first, known_last, offset in batches[-5:]:`, in it `if (known_first, known_last) == (first, "
        "last): return offset`, and below the loop `return None`.",
    ),
)

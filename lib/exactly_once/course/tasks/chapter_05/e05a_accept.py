"""Exercise 05a: what a broker does with a batch, when it knows one batch of its producer (KIP-98).

The rule is that of Kafka's ProducerAppendInfo (4.3.1), with the last batch alone: what a snapshot holds.
"""

import pandas as pd

from .... import show as drawing
from ....log.broker.producer_state import LARGEST_SEQUENCE
from ..cases import CasesTask

ACCEPT, DUPLICATE, REFUSE = WORDS = ("accept", "duplicate", "refuse")
CASES = (  # the last batch, as (first number, records), or None; the batch that arrives
    (None, 0, 1),
    ((0, 1), 1, 1),
    ((0, 1), 0, 1),
    ((0, 1), 2, 1),
    (None, 3, 1),
    ((0, 3), 3, 2),
    ((0, 3), 1, 1),
    ((0, 3), 0, 3),
    ((0, 3), 5, 1),
    ((4, 2), 0, 4),
    ((4, 2), 4, 1),
    ((4, 2), 4, 3),
    ((4, 2), 5, 2),
    ((4, 2), 5, 1),
    ((LARGEST_SEQUENCE, 1), 0, 1),
    ((LARGEST_SEQUENCE, 1), LARGEST_SEQUENCE, 1),
    ((LARGEST_SEQUENCE, 1), LARGEST_SEQUENCE + 1, 1),
    ((LARGEST_SEQUENCE - 1, 1), LARGEST_SEQUENCE, 5),
    ((LARGEST_SEQUENCE - 1, 1), 0, 1),
    ((LARGEST_SEQUENCE - 1, 4), 2, 1),
    ((LARGEST_SEQUENCE - 1, 4), LARGEST_SEQUENCE - 1, 4),
    ((LARGEST_SEQUENCE - 1, 4), 0, 1),
    ((0, 2), LARGEST_SEQUENCE, 1),
)
EXAMPLES = (CASES[1], CASES[7], CASES[8], CASES[19])


def judged(last, first, count):
    """Return what the broker does with the `count` records numbered from `first` on, after the batch `last`."""
    if last is None:
        return ACCEPT
    if (first, count) == tuple(last):
        return DUPLICATE
    return ACCEPT if first == sum(last) % (LARGEST_SEQUENCE + 1) else REFUSE


def objection(last, first, count, said):
    """Return a sentence on what is wrong with one answer, or None."""
    should = judged(last, first, count)
    if said == should:
        return None
    if not isinstance(said, str) or said not in WORDS:
        return f"It says {said!r}; say 'accept', 'duplicate' or 'refuse'."
    if last is None:
        return (
            f"It says {said!r}. The broker knows nothing of this producer, so it cannot tell what is missing: since "
            "Kafka 2.5 it takes any first number."
        )
    numbers, wanted = spelled(first, count), sum(last) % (LARGEST_SEQUENCE + 1)
    if should == DUPLICATE:
        return (
            f"It says {said!r}. {numbers[:1].upper()}{numbers[1:]} is exactly the batch that is here already; its "
            "answer was lost, and the producer goes on sending it until somebody acknowledges it."
        )
    if should == ACCEPT:
        around = f" After {LARGEST_SEQUENCE} comes 0." if wanted < last[0] else ""
        return f"It says {said!r}, and {wanted} is the number that comes next.{around}"
    if said == DUPLICATE:
        return (
            f"It says 'duplicate', but {numbers} is not the batch {spelled(*last)}, only near it. An acknowledgement "
            "says that these records are in the log, and at which offset; the broker knows neither."
        )
    is_gap = (first - wanted) % (LARGEST_SEQUENCE + 1) < LARGEST_SEQUENCE // 2
    lost = f"number {wanted} could only come behind it" if is_gap else "some of it would be in the log twice"
    return f"It says 'accept'. The next number is {wanted}, and this is {numbers}: {lost}."


def spelled(first, count):
    """Return the numbers of a batch in words: "number 4", "numbers 4 to 6"."""
    end = (first + count - 1) % (LARGEST_SEQUENCE + 1)
    return f"number {first}" if count == 1 else f"numbers {first} to {end}"


def drawn(last, first, count, said):
    """Return the picture of one case with the answer and what is right."""
    return table([(last, first, count)], [(True, said)], told=True)


def sketch(told):
    """Draw what an answer says about four batches."""
    return table(EXAMPLES, told or [(True, None)] * len(EXAMPLES))


def table(cases, answers, told=False):
    """Return the picture of some cases: what the broker knows, what arrives, what the function says."""
    rows = [
        {
            "the broker's last batch": "nothing known" if last is None else spelled(*last),
            "arrives": spelled(first, count),
            "yours": (said or "–") if fine else f"fails with {said}",
            **({"right": judged(last, first, count)} if told else {}),
        }
        for (last, first, count), (fine, said) in zip(cases, answers, strict=True)
    ]
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


TASK = CasesTask(
    title="accept, duplicate or refuse",
    answer="judge",
    tier="warm-up",
    signature="a function of the last batch, a first number and a number of records",
    cases=CASES,
    oracle=judged,
    objection=objection,
    fails=lambda last, first, count, said: f"For {spelled(first, count)} after {last!r} it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="What is exactly the last batch was a retry; what comes next is new; everything else "
    "shows that broker and producer disagree, and is refused.",
    example=CASES[17],
    shown=EXAMPLES,
    hints=(
        "Three questions, in this order. Does the broker know the producer? Is this batch the last one once more? "
        "Is it the next one?",
        "A batch is the last one once more if its first number and its number of records are both the same. The next "
        "number is the last batch's first number plus its records.",
        "After 2147483647, which is 2**31 - 1, comes 0: take the next number modulo 2**31. It may lie within a "
        "batch, too, so compare the first number with that and with nothing else.",
        "if last is None: return 'accept'; if (first, count) == tuple(last): return 'duplicate'; then 'accept' if "
        "first == (last[0] + last[1]) % 2**31, else 'refuse'.",
    ),
)

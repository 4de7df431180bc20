"""Exercise 05a: the first batch in a log whose numbers do not follow from those of its producer before it (KIP-98).

The rule is that of Kafka's ProducerAppendInfo (4.3.1): every batch of a known producer continues its epoch with the
next number, or begins a newer epoch with 0.
"""

import pandas as pd

from ... import show as drawing
from ...log.broker.producer_state import LARGEST_SEQUENCE
from ..kinds.cases import Cases, sketched

TOP = LARGEST_SEQUENCE


def log_of(*batches):
    """Return the headers of batches given as (producer, epoch, first number, records), one behind the other."""
    headers, offset = [], 100
    for producer, epoch, first, count in batches:
        headers.append((offset, producer, epoch, first, count))
        offset += count
    return (headers,)


CASES = (  # the smallest that shows a mistake stands first
    log_of((7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (7, 0, 2, 1)),
    log_of((7, 0, 0, 1), (7, 0, 1, 1)),
    log_of((7, 0, 5, 1), (7, 0, 6, 1)),
    log_of((7, 0, 0, 3), (7, 0, 3, 2), (7, 0, 5, 1)),
    log_of((7, 0, 0, 3), (7, 0, 1, 1)),
    log_of((7, 0, 0, 1), (9, 0, 0, 1), (7, 0, 1, 1)),
    log_of((7, 0, 0, 1), (9, 0, 1, 1), (9, 0, 1, 1)),
    log_of((None, -1, -1, 2), (None, -1, -1, 1), (7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (7, 1, 0, 1), (7, 1, 1, 1)),
    log_of((7, 0, 0, 1), (7, 1, 1, 1)),
    log_of((7, 0, 0, 1), (7, 1, 0, 1), (7, 0, 1, 1)),
    log_of((7, 3, 4, 1), (7, 5, 0, 1)),
    log_of((0, 0, 0, 1), (0, 0, 0, 1)),  # 0 is a producer's id, too
    log_of((7, 0, TOP, 1), (7, 0, 0, 1)),
    log_of((7, 0, TOP - 1, 4), (7, 0, 2, 1)),
    log_of((7, 0, TOP - 1, 4), (7, 0, 0, 1)),
    log_of((7, 0, 0, 1), (9, 0, 3, 2), (7, 0, 1, 2), (9, 0, 5, 1), (7, 1, 0, 1), (7, 0, 3, 1), (9, 0, 5, 1)),
)
EXAMPLE = CASES[-1]


def audited(headers):
    """Return the offset of the first batch whose numbers do not follow, or None."""
    found = first_odd(headers)
    return found and found[0]


def first_odd(headers):
    """Return (offset, words on the mistake) of the first batch that does not follow, or None."""
    last = {}  # producer: (epoch, the next number)
    for offset, producer, epoch, first, count in headers:
        if producer is None:
            continue
        known, wanted = last.get(producer, (epoch, first))
        if epoch < known:
            return offset, f"epoch {epoch} is older than epoch {known}, which producer {producer} had before it"
        if epoch > known:
            wanted = 0
        if first != wanted:
            return (
                offset,
                f"producer {producer}'s next number in epoch {epoch} was {wanted}, and the batch has {first}",
            )
        last[producer] = epoch, (first + count) % (TOP + 1)
    return None


def objection(headers, said):
    """Return a sentence on the mistake in one answer, or None."""
    odd, should = first_odd(headers), audited(headers)
    if said == should and not isinstance(said, bool):
        return None
    offsets = [header[0] for header in headers]
    if said is not None and (said not in offsets or isinstance(said, bool)):
        return f"It returns {said!r}; return the offset of a batch, or None."
    if odd is None:
        return f"It returns {said}, and every batch of this log follows. {_why_not(headers, said)}"
    truth = f"At offset {should}, {odd[1]}."
    if said is None:
        return f"It finds nothing. {truth}"
    if said > should:
        return f"It returns {said}, and an earlier batch does not follow. {truth}"
    return f"It returns {said}, and that batch follows. {_why_not(headers, said)}"


def _why_not(headers, said):
    """Say why the batch at an offset is as it should be."""
    place = next(place for place, header in enumerate(headers) if header[0] == said)
    _, producer, epoch, first, _ = headers[place]
    before = [header for header in headers[:place] if header[1] == producer]
    if producer is None:
        return "A batch without a producer has no numbers."
    if not before:
        return f"It is the first batch of producer {producer} in this log, and older ones may have been deleted."
    if before[-1][2] != epoch:
        return f"It begins epoch {epoch} of producer {producer}, with number 0."
    around = f" After {TOP} comes 0." if first < before[-1][3] else ""
    return f"Number {first} is producer {producer}'s next one.{around}"


def drawn(headers, said, told=True):
    """Return the picture of a log with the batch that an answer names, and, if it is `told`, the right one."""
    odd = first_odd(headers)
    rows = [
        {
            "offset": offset,
            "producer": "–" if producer is None else str(producer),
            "epoch": "–" if producer is None else str(epoch),
            "first number": "–" if producer is None else str(first),
            "records": count,
            "yours": "○ does not follow" if said == offset and not isinstance(said, bool) else "",
            **({"right": "● does not follow" if odd and odd[0] == offset else ""} if told else {}),
        }
        for offset, producer, epoch, first, count in headers
    ]
    table = pd.DataFrame(rows)
    words = f"Your answer: {said}"
    return drawing.Picture(
        f'{drawing.table_html(table)}<p class="eo-h">{words}</p>', text=f"{table.to_string(index=False)}\n{words}"
    )


TASK = Cases(
    answer="audit",
    tier="warm-up",
    form="a function of a list of headers, audit(headers)",
    cases=CASES,
    oracle=audited,
    objection=objection,
    fails=lambda headers, said: f"For the log {headers} it fails with {said}.",
    draw=drawn,
    sketch=sketched(drawn, EXAMPLE),
    praise="Each producer's batches follow one another by number, and each new epoch begins with 0, whatever others "
    "write between them. So headers alone show that nothing is doubled and nothing is missing in the middle.",
    example=EXAMPLE,
)

"""Exercise 06a: three requests, and the epochs with which each of them is refused.

The rules are those of Kafka 4.3.1 with KIP-890: ProducerAppendInfo for the leader of a partition,
TransactionCoordinator for the coordinator.
"""

import pandas as pd

from ... import show as drawing
from ..kinds.cases import Cases

ACCEPT, OLD, FENCED, UNKNOWN = WORDS = (
    "accept",
    "INVALID_PRODUCER_EPOCH",
    "PRODUCER_FENCED",
    "INVALID_PRODUCER_ID_MAPPING",
)
APPEND, ADD, MARKER = REQUESTS = ("append", "add", "marker")
ASKED = {APPEND: "the partition’s leader", ADD: "the coordinator", MARKER: "the partition’s leader"}
CASES = (  # the request, the epoch that it carries, the epoch that is known where it arrives
    (APPEND, 0, 0),
    (ADD, 0, 0),
    (MARKER, 1, 0),
    (APPEND, 0, 1),
    (APPEND, 1, 0),
    (APPEND, 0, None),
    (ADD, 0, 1),
    (ADD, 1, 0),
    (ADD, 0, None),
    (MARKER, 0, 0),
    (MARKER, 0, 1),
    (MARKER, 1, None),
    (APPEND, 5, 2),
    (APPEND, 4, 5),
    (APPEND, 7, 7),
    (ADD, 4, 5),
    (ADD, 7, 5),
    (ADD, 7, 7),
    (ADD, 7, None),
    (MARKER, 5, 2),
    (MARKER, 5, 5),
    (MARKER, 4, 5),
)
EXAMPLES = (CASES[0], CASES[1], CASES[2], CASES[3])


def judged(request, epoch, known):
    """Return the answer to a request with this epoch; `known` is the newest epoch there, None for none."""
    if request == ADD:
        return UNKNOWN if known is None else ACCEPT if epoch == known else FENCED
    oldest = -1 if known is None else known + (request == MARKER)
    return ACCEPT if epoch >= oldest else OLD


def objection(request, epoch, known, said):
    """Return a sentence on the mistake in one answer, or None."""
    should = judged(request, epoch, known)
    if said == should:
        return None
    if not isinstance(said, str) or said not in WORDS:
        return f"Your function says {said!r}; say one of {', '.join(map(repr, WORDS))}."
    head = f"For {called(request, epoch, known)} your function says {said!r}."
    if should == UNKNOWN:
        return f"{head} The coordinator keeps nothing of this transactional id: there is no epoch to compare with."
    if said != ACCEPT and should != ACCEPT:
        who = "A partition’s leader" if should == OLD else "The coordinator"
        return f"{head} {who} refuses it under another name, {should}."
    return f"{head} {CONSEQUENCES[request, said == ACCEPT](epoch, known)}"


def _append_refused(epoch, known):
    if known is None:
        return (
            "The leader knows nothing of this producer: no newer incarnation wrote here, and this is its first batch."
        )
    if epoch == known:
        return "The leader saw this epoch last: the producer continues to write."
    return (
        f"A leader hears of a new incarnation, or of a new transaction, by a newer epoch: the coordinator gave out "
        f"{epoch}, and no other partition told this leader."
    )


CONSEQUENCES = {  # by request, and by whether it was accepted
    (APPEND, True): lambda epoch, known: (
        f"A batch of epoch {known} is here already, so the producer with epoch {epoch} is a zombie: its batch would "
        "become a part of its successor's transaction."
    ),
    (APPEND, False): _append_refused,
    (ADD, True): lambda epoch, known: (
        f"The coordinator gave out epoch {known} last. "
        + (
            f"The producer with epoch {epoch} was fenced, and would add to the transaction of its successor."
            if epoch < known
            else f"Nobody can have got {epoch} from it: the coordinator has not given out this epoch."
        )
    ),
    (ADD, False): lambda epoch, known: f"The coordinator gave out this very epoch last, {known}.",
    (MARKER, True): lambda epoch, known: (
        f"The data here has epoch {known}. Each end of a transaction raises the epoch, so the marker has a higher "
        f"one than the data. A marker with {epoch} is late: it belongs to an earlier transaction, and would end the "
        "open one."
    ),
    (MARKER, False): lambda epoch, known: (
        "Each end of a transaction raises the epoch, so the marker carries a higher one than the data: this marker "
        "is the right one. If it is refused, the transaction stays open here, and readers wait."
    ),
}


def called(request, epoch, known):
    """Return a request in words."""
    at = "where no epoch is known" if known is None else f"where epoch {known} is known"
    return f"{'an' if request[0] == 'a' else 'a'} {request} with epoch {epoch}, {at},"


def drawn(request, epoch, known, said):
    """Return the picture of one case: the story before it, the answer, and the right answer."""
    lines = story(request, epoch, known)
    picture = table([(request, epoch, known)], [(True, said)], told=True)
    html = "".join(f"<li>{line}</li>" for line in lines)
    return drawing.Picture(
        f'<p class="eo-h">How it comes to this</p><ol>{html}</ol>{picture.html}',
        text="\n".join([*lines, str(picture)]),
    )


def story(request, epoch, known):
    """Return the steps that lead to a request, as lines."""
    where, last = ASKED[request], f"Its {request} arrives at {ASKED[request]}."
    if request == MARKER:
        lines = [] if known is None else [f"The producer writes to the partition, with epoch {known}."]
        if known is None or epoch > known:
            lines.append(f"Its transaction ends; the coordinator raises the epoch to {epoch} for the marker.")
        else:
            lines.append(f"The marker of an earlier transaction, with epoch {epoch}, is late.")
        return [*lines, f"The marker arrives at {where}."]
    lines = [f"A producer gets epoch {epoch} from the coordinator."]
    if known is not None and known > epoch:
        place = " and writes to the partition" if request == APPEND else ""
        lines.append(f"It stalls. A new incarnation with the same transactional id gets epoch {known}{place}.")
        return [*lines, f"The first incarnation wakes up. {last}"]
    if known is None:
        lines.append(f"{where[:1].upper()}{where[1:]} knows nothing of this producer.")
    elif known < epoch:
        lines = [f"{where[:1].upper()}{where[1:]} has epoch {known} as the newest.", f"A producer has epoch {epoch}."]
    return [*lines, last]


def sketch(told):
    """Draw an answer's replies to four requests."""
    return table(EXAMPLES, told or [(True, None)] * len(EXAMPLES))


def table(cases, answers, told=False):
    """Return the picture of some requests: where each arrives, the epoch known there, and the function's answer."""
    rows = [
        {
            "request": request,
            "arrives at": ASKED[request],
            "its epoch": epoch,
            "known there": "nothing" if known is None else f"epoch {known}",
            "yours": (said or "–") if fine else f"fails with {said}",
            **({"right": judged(request, epoch, known)} if told else {}),
        }
        for (request, epoch, known), (fine, said) in zip(cases, answers, strict=True)
    ]
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


TASK = Cases(
    answer="judge",
    tier="warm-up",
    form="a function of a request, its epoch and the epoch that is known",
    cases=CASES,
    oracle=judged,
    objection=objection,
    fails=lambda request, epoch, known, said: f"For {called(request, epoch, known)} it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="Three requests, three comparisons. The coordinator gives the epochs out and knows the newest one "
    "exactly. A partition's leader knows only the epochs that came to it, so it refuses older ones and learns from "
    "newer ones. And a marker must be newer than the data that it ends.",
    example=CASES[3],
    shown=EXAMPLES,
)

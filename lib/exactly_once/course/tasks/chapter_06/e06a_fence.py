"""Exercise 06a: three requests, and which epochs each of them is refused with.

The rules are those of Kafka 4.3.1 with KIP-890: ProducerAppendInfo for the leader of a partition,
TransactionCoordinator for the coordinator.
"""

import pandas as pd

from .... import show as drawing
from ..cases import CasesTask

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
    """Return what is answered to a request with this epoch where `known` is the newest one, or None."""
    if request == ADD:
        return UNKNOWN if known is None else ACCEPT if epoch == known else FENCED
    oldest = -1 if known is None else known + (request == MARKER)
    return ACCEPT if epoch >= oldest else OLD


def objection(request, epoch, known, said):
    """Return a sentence on what is wrong with one answer, or None."""
    should = judged(request, epoch, known)
    if said == should:
        return None
    if not isinstance(said, str) or said not in WORDS:
        return f"It says {said!r}; say one of {', '.join(map(repr, WORDS))}."
    head = f"For {called(request, epoch, known)} it says {said!r}."
    if should == UNKNOWN:
        return f"{head} The coordinator keeps nothing of this transactional id: there is no epoch to compare with."
    if said != ACCEPT and should != ACCEPT:
        who = "A partition’s leader" if should == OLD else "The coordinator"
        return f"{head} {who} refuses it under another name, {should}."
    return f"{head} {CONSEQUENCES[request, said == ACCEPT](epoch, known)}"


def _append_refused(epoch, known):
    if known is None:
        return "The leader has seen nothing of this producer, so nobody was fenced here; this is its first batch."
    if epoch == known:
        return "It is the epoch that the leader saw last: the producer goes on writing."
    return (
        f"A newer epoch than the leader has seen is how it hears of a new life, or of a new transaction: the "
        f"coordinator gave out {epoch}, and no other partition told this one."
    )


CONSEQUENCES = {  # by request, and by whether it was accepted
    (APPEND, True): lambda epoch, known: (
        f"A batch of epoch {known} is here already, so the producer with epoch {epoch} is a zombie: what it writes "
        "now would stand in the transaction of its successor."
    ),
    (APPEND, False): _append_refused,
    (ADD, True): lambda epoch, known: (
        f"The coordinator gave out epoch {known} last. "
        + (
            f"Who comes with {epoch} was fenced, and would add to the transaction of its successor."
            if epoch < known
            else f"Nobody can have got {epoch} from it, since it has not given it out."
        )
    ),
    (ADD, False): lambda epoch, known: f"It is the very epoch that the coordinator gave out last, {known}.",
    (MARKER, True): lambda epoch, known: (
        f"The data here has epoch {known}. Since the epoch is raised at each end of a transaction, its marker "
        f"carries a higher one than the data; a marker with {epoch} is late, from an earlier transaction, and would "
        "end the one that is open."
    ),
    (MARKER, False): lambda epoch, known: (
        "The epoch is raised at each end of a transaction, so that its marker carries a higher one than the data: "
        "this one is as it should be. Refused, it leaves the transaction open here, and readers wait."
    ),
}


def called(request, epoch, known):
    """Return a request in words."""
    at = "where no epoch is known" if known is None else f"where epoch {known} is known"
    return f"{'an' if request[0] == 'a' else 'a'} {request} with epoch {epoch}, {at},"


def drawn(request, epoch, known, said):
    """Return the picture of one case: how it came about, the answer, and what is right."""
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
        lines.append(f"It stalls. A new life with the same transactional id gets epoch {known}{place}.")
        return [*lines, f"The first one wakes up. {last}"]
    if known is None:
        lines.append(f"{where[:1].upper()}{where[1:]} knows nothing of it.")
    elif known < epoch:
        lines = [f"{where[:1].upper()}{where[1:]} has epoch {known} as the newest.", f"Somebody comes with {epoch}."]
    return [*lines, last]


def sketch(told):
    """Draw what an answer says about four requests."""
    return table(EXAMPLES, told or [(True, None)] * len(EXAMPLES))


def table(cases, answers, told=False):
    """Return the picture of some requests: what arrives where, what is known there, what the function says."""
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


TASK = CasesTask(
    title="three requests of a zombie",
    answer="judge",
    tier="warm-up",
    signature="a function of a request, its epoch and the epoch that is known",
    cases=CASES,
    oracle=judged,
    objection=objection,
    fails=lambda request, epoch, known, said: f"For {called(request, epoch, known)} it fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="Three requests, three comparisons. The coordinator gives the epochs out and knows the newest one "
    "exactly; a partition's leader only knows the newest that has come by, so it refuses what is older and learns "
    "from what is newer; and a marker must be newer than the data that it ends.",
    example=CASES[3],
    shown=EXAMPLES,
    hints=(
        "Who gives out the epochs, and who only hears of them? One of the two can compare with ==.",
        "A leader hears of a new epoch by the first batch that carries it. So which of older, same and newer can it "
        "refuse an append for? And what if it has heard nothing at all?",
        "With KIP-890 the epoch is raised when a transaction ends, and the marker carries the raised one. What does "
        "a marker with the same epoch as the data belong to?",
        "add: INVALID_PRODUCER_ID_MAPPING if known is None, accept if epoch == known, else PRODUCER_FENCED. append: "
        "accept if known is None or epoch >= known; marker: accept if known is None or epoch > known; else "
        "INVALID_PRODUCER_EPOCH.",
    ),
)

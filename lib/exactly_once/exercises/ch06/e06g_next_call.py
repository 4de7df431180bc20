"""Exercise 06g: which method a transactional application calls next, after an error or after an abort.

The rules are those of Kafka's Java client, 4.3.1 (KafkaProducer, TransactionManager).
"""

from html import escape

import pandas as pd

from ... import show as drawing
from ..kinds.cases import Cases

SEND, OFFSETS, COMMIT, ABORT = CALLS = (
    "send",
    "sendOffsetsToTransaction",
    "commitTransaction",
    "abortTransaction",
)
SEEK, CLOSE = "seek", "close"
WORDS = (SEND, COMMIT, ABORT, SEEK, CLOSE)
TIMED_OUT, ABORTABLE = "TimeoutException", "TransactionAbortableException"
FENCED, GENERATION = "ProducerFencedException", "IllegalGenerationException"
STORY = {  # the events before the call, for the picture
    (COMMIT, TIMED_OUT): "The request to commit may have arrived, and its answer may be lost.",
    (ABORT, TIMED_OUT): "The request to abort may have arrived, and its answer may be lost.",
    (SEND, TIMED_OUT): "The client has sent the record again and again, until its time was over.",
    (COMMIT, FENCED): "The coordinator has given this transactional id a newer epoch.",
    (SEND, FENCED): "The coordinator has given this transactional id a newer epoch.",
    (ABORT, FENCED): "The coordinator has given this transactional id a newer epoch.",
    (SEND, ABORTABLE): "A retriable error lasted until the client's time for a send was over.",
    (COMMIT, ABORTABLE): "A send of this transaction failed earlier.",
    (OFFSETS, GENERATION): "The group has a new assignment: the partition may belong to another instance.",
    (ABORT, None): "The transaction is aborted, and the consumer stands behind the records of this transaction.",
}
CASES = tuple(STORY)
EXAMPLE = (COMMIT, ABORTABLE)


def next_call(call, error):
    """Return the call that comes next, after a call that raised this error, or none."""
    if error is None:
        return SEEK
    if error in (FENCED, GENERATION):
        return CLOSE
    return call if error == TIMED_OUT and call in (COMMIT, ABORT) else ABORT


def objection(call, error, said):
    """Return a sentence on the mistake of one answer, or None."""
    should = next_call(call, error)
    if said == should:
        return None
    after = called(call, error)
    if said not in WORDS:
        return f"After {after} your function says {said!r}; say one of {', '.join(map(repr, WORDS))}."
    return f"After {after} your function says {said!r}. {_consequence(call, error, said)}"


def _consequence(call, error, said):
    """Return a sentence on the mistake in a call, or on its consequence."""
    if error is None:
        return {
            SEND: "The consumer still stands behind the aborted records: nobody would process them again.",
            COMMIT: "No transaction is open.",
            ABORT: "The transaction is aborted already.",
            CLOSE: "Nothing is wrong with this producer: it can begin the next transaction.",
        }[said]
    if error in (FENCED, GENERATION):
        return {
            SEEK: "The partition, or the transactional id, may belong to another process: your position may be old.",
        }.get(
            said,
            "This producer, or its place in the group, is not valid any more: the application needs a new producer, "
            "and the position from the group.",
        )
    if said == CLOSE:
        return "The producer is still valid. A time-out, or an abortable error, is no reason to give it up."
    if error == TIMED_OUT and call == COMMIT:
        return {
            ABORT: "The commit may be decided. The client refuses an abort with an IllegalStateException.",
            SEND: "The transaction may be committed with the record, and then the record would be there twice.",
            SEEK: "The commit may be decided: you would process committed records again.",
        }[said]
    if error == TIMED_OUT and call == ABORT:
        return {
            COMMIT: "The abort may be decided. The client refuses a commit with an IllegalStateException.",
            SEND: "It is not known yet whether the transaction has ended.",
            SEEK: "It is not known yet whether the transaction has ended: the producer cannot begin the next one.",
        }[said]
    return {
        SEND: "The client may have written the record. Your second call would make another record with another "
        "number, and both would be committed.",
        COMMIT: "A record of this transaction may be missing: a commit would make that final.",
        SEEK: "The transaction is still open, and the producer cannot begin the next one.",
    }[said]


def called(call, error):
    """Return a call and its end in words."""
    return f"{call} raised {error}," if error else f"{call} returned,"


def drawn(call, error, said, told=True):
    """Return the picture of one case: the story before it, the answer, and the right answer."""
    story = STORY[call, error]
    picture = table([(call, error)], [(True, said)], told)
    return drawing.Picture(f"<p>{escape(story)}</p>{picture.html}", text=f"{story}\n{picture}")


def sketch(told):
    """Draw an answer's replies to all cases."""
    return table(CASES, told or [(True, None)] * len(CASES))


def table(cases, answers, told=False):
    """Return the picture of some cases: the call, its end, and the next call."""
    rows = [
        {
            "call": call,
            "raised": error or "nothing",
            "yours": (said or "–") if fine else f"fails with {said}",
            **({"right": next_call(call, error)} if told else {}),
        }
        for (call, error), (fine, said) in zip(cases, answers, strict=True)
    ]
    listed = pd.DataFrame(rows)
    return drawing.Picture(drawing.table_html(listed), text=listed.to_string(index=False))


TASK = Cases(
    answer="next_call",
    form="a function of a call and the error that it raised",
    cases=CASES,
    oracle=next_call,
    objection=objection,
    fails=lambda call, error, said: f"After {called(call, error)} your function fails with {said}.",
    draw=drawn,
    sketch=sketch,
    praise="All {count} cases are right. An end without an answer is repeated, since its outcome may stand already. "
    "A send without an answer is never repeated: the transaction is aborted, and the records are read again. A "
    "producer that is not valid any more is replaced.",
    example=EXAMPLE,
    shown=CASES,
)

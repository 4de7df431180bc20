"""Exercise 03d: a producer that sends again when, and only when, that is safe."""

from .... import show as drawing
from ....errors import BadInput, CourseError, OutcomeUnknown
from ....log.errors import LeaderNotAvailable, NotEnoughReplicas, NotEnoughReplicasAfterAppend, RecordTooLarge
from ....pipeline import Job
from ..reply import right, unsolved, wrong
from ..run_answer import calm, proved
from ..task import Task

JOB = Job(items=1)
TROUBLES = 2
PATIENCE = 20
LARGE = "a film"
FINE = "written, and acknowledged"
FATES = {
    "refused, too few replicas": (False, NotEnoughReplicas("Too few replicas are in sync; nothing was written.")),
    "refused, no leader": (False, LeaderNotAvailable("No broker leads the partition now; nothing was written.")),
    "written, then too few replicas": (
        True,
        NotEnoughReplicasAfterAppend("Written, but not on enough replicas yet."),
    ),
    "request lost": (False, OutcomeUnknown("No reply: it was written or it was not.")),
    "reply lost": (True, OutcomeUnknown("No reply: it was written or it was not.")),
}
TOO_LARGE = "refused, too large"


class Endless(BaseException):
    """A record that never fits was sent again and again."""


def producer_with(produce, records, most=0):
    """Return a handler that calls `produce(send, records)`; at most `most` requests come to what the world
    chooses.
    """

    def producer(node):
        troubles, tries = most, 0

        def send(record):
            nonlocal troubles, tries
            if record == LARGE:
                node.choose([TOO_LARGE])
                tries += 1
                if tries > PATIENCE:
                    raise Endless
                raise RecordTooLarge(
                    f"The record {record!r} has more bytes than its topic takes; nothing was written."
                )
            fate = node.choose([FINE, *FATES] if troubles else [FINE])
            written, error = FATES.get(fate, (True, None))
            if written:
                node.output.push(record)
            if error is None:
                return record
            troubles -= 1
            if isinstance(error, OutcomeUnknown):
                node.registers.cas(f"unknown.{record}", 0, True)
            raise error

        try:
            produce(send, list(records))
        except CourseError as why:
            raise RuntimeError(f"produce let {type(why).__name__} pass, and nobody sends what is left") from None

    return producer


def rule_for(records):
    """Return the rule: nothing is there twice; what is missing in the end is too large, or nobody can know of it."""

    def rule(view):
        for number in records:
            if view.outputs.count(number) > 1:
                return f"record {number!r} is in the log twice"
            told = number == LARGE or f"unknown.{number}" in view.registers
            if view.done and number not in view.outputs and not told:
                return f"record {number!r} is not in the log, though the broker had said that nothing was written"
        return True

    return rule


def check(produce):
    """Prove the producer for two records, and for one that is too large between two others."""
    if produce is ...:
        return unsolved("your producer")
    if not callable(produce):
        raise BadInput(f"The producer is {produce!r}; it is a function of send and a list of records.")
    run = calm(producer_with(produce, ["a", "b"]), JOB)
    if not run.error and not run.trace.of_life(1)[1:-1]:
        return unsolved("the body of your producer")
    for records, most in ((["a", "b"], TROUBLES), (["a", LARGE, "b"], 0)):
        handler = producer_with(produce, records, most)
        proof = proved(handler, rule_for(records), JOB, crashes=0)
        found = proof.counterexample
        if found is not None:
            said = found.sentence
            if found.kind == "raised":
                said = f"Your code fails: {said.partition(': ')[2].removeprefix('RuntimeError: ')}"
            if "Endless" in said:
                said = (
                    f"After {PATIENCE} refusals it goes on with the same record. A record that is too "
                    f"large never fits."
                )
            return wrong(said, found, handler)
        if not proof.exhausted:
            return wrong(f"Not proved: {proof.stopped}. Send with fewer steps.")
    return right(
        f"It sends again when it is told that nothing was written, as often as need be, and at no other time "
        f"({proof.states:,} states). What may be missing is a record of which nobody can know. To send that as well, "
        "without doubling it, the log would have to recognise a repeated record: chapter 05."
    )


def show(produce):
    """Draw what the producer does with two records when nothing goes wrong."""
    if produce is ...:
        text = "There is no producer yet. The errors: " + ", ".join(
            sorted({type(e).__name__ for _, e in FATES.values()})
        )
        return drawing.Picture(f"<p>{text}, RecordTooLarge.</p>", text=f"{text}, RecordTooLarge.")
    return drawing.spacetime(calm(producer_with(produce, ["a", "b"]), JOB))


TASK = Task(
    title="send again only when it is safe",
    answer="produce",
    show=show,
    check=check,
    hints=(
        "For each of the five errors ask one question: is the record in the log? The answers are yes, no, and nobody "
        "knows.",
        "Sending again is safe only after a no. Two of the errors say no, and may go away by themselves; a third "
        "says no and "
        "never goes away.",
        "NotEnoughReplicas and LeaderNotAvailable: again, until another answer comes. NotEnoughReplicasAfterAppend: "
        "it is "
        "written. OutcomeUnknown: let it rest. RecordTooLarge: go on with the next record.",
        "for record in records: while True: try: send(record); break; except (NotEnoughReplicas, "
        "LeaderNotAvailable): continue; except (NotEnoughReplicasAfterAppend, OutcomeUnknown, "
        "RecordTooLarge): break.",
    ),
)

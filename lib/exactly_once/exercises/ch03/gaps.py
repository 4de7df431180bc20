"""The gaps of chapter 03: how the learner's lines are judged."""

from functools import partial

from ...delivery.prediction import COPIES
from ...delivery.run import READINGS, key_of
from ...handlers.logs.producer import PRODUCERS, insist, producer_that_retries, push_or_ask
from ...node import Numbers, Program
from ..kinds.log_programs import (
    broken,
    calm,
    failed,
    judged_by_copies,
    judged_by_moments,
    sends,
    sent_nothing,
    strayed,
    stumbles,
)
from ..kinds.old_gap import gap
from ..kinds.reply import right, unsolved, wrong

# 03-ask: look into the log before a record is sent again.

ASK_RECORDS = 2
ASK_CASES = {
    "Nothing is lost": {},
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "One request and one reply are lost": {"lost_requests": 1, "lost_replies": 1},
}
BESIDE = "Another producer appends, too, and one {} is lost"
ASK_CASES_BESIDE = {BESIDE.format("reply"): {"lost_replies": 1}, BESIDE.format("request"): {"lost_requests": 1}}
OTHER = 7  # the other producer's record


def producer_with(push):
    """Return a producer that leaves each record to `push(node, record)`, and notes it then."""

    def asking(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            push(node, items[0])
            insist(node.positions.save, next_positions)
            positions = next_positions

    return asking


def other(node):
    """Append a record of another producer."""
    insist(node.output.push, OTHER, key_of(OTHER))


def each_once(view):
    """No record is in the log twice, each has its key, and in the end each is there."""
    found, asked = [value for value in view.outputs if value != OTHER], [*range(1, ASK_RECORDS + 1)]
    if len(found) > len(set(found)) or (view.done and found != asked):
        besides = f", and {OTHER} of the other producer" if OTHER in view.outputs else ""
        return f"the log holds {view.outputs}, and should hold {asked}{besides}"
    return strayed(view) or True


@gap("03-ask", refuses=(push_or_ask,))
def check_ask(answer):
    """Prove that each record is there once after the loss of any one request and any one reply."""
    program = sends(producer_with(answer), ASK_RECORDS)
    run = calm(program)
    if refused := failed(run, program):
        return refused
    sent = [push.value for push in run.pushes]
    if not sent:
        return unsolved("your lines")
    if sent != [1, 2]:
        return wrong(f"With nothing lost the log holds {sent}; it should hold each record once.", run, program)
    beside = [program, Program(other, Numbers(1), READINGS, "other")]
    return broken(program, each_once, **ASK_CASES) or broken(beside, each_once, **ASK_CASES_BESIDE) or right(
        "Each record is in the log once, wherever a request and a reply are lost. That includes the request and the "
        "reply of the question."
    )  # fmt: skip


# 03-copies: how many copies of a record a fault leaves in the log, for each of the two producers.


def program(retry, records):
    """Return the program of one of the two producers."""
    return sends(PRODUCERS[retry], records)


@gap("03-copies")
def check_copies(answer):
    """Ask for each producer and each kind of fault, and show a run in which the answer is wrong."""
    praise = "Your function counts each of the eight cases as the runs do."
    return judged_by_copies(answer, COPIES, program, "output.push", praise)


# 03-nothing-lost: the promise at-least-once, as a rule for the explorer.

MOMENTS = (
    ([], False, True),
    ([1], False, True),
    ([1, 2, 3], False, True),
    ([1, 2, 3], True, True),
    ([1, 2, 2, 3], True, True),
    ([1, 1, 2, 2, 3], True, True),
    ([1, 3], True, False),
    ([1, 1, 3], True, False),
    ([1, 2], True, False),
    ([2, 3, 3], True, False),
    ([], True, False),
)


@gap("03-nothing-lost")
def check_nothing_lost(answer):
    """Ask the rule about moments that keep the promise, and about moments that break it."""
    moments = [(outputs, done, kept, _why(outputs, done, kept)) for outputs, done, kept in MOMENTS]
    praise = "Your rule asks at the end, asks for each of the three records, and allows repetitions."
    return judged_by_moments(answer, moments, praise)


def _why(outputs, done, kept):
    if not kept:
        return "At-least-once is broken: a record is lost."
    if not done:
        return "At-least-once is kept: what is not there yet may still come."
    return "At-least-once is kept: " + ("repetitions are allowed." if len(outputs) > 3 else "each record is there.")


# 03-producer: a producer that sends again until an answer comes. Chapter 05 takes it up and repairs it.

PRODUCER_RECORDS = 3
PRODUCER_CASES = {
    "One request is lost": {"lost_requests": 1},
    "One reply is lost": {"lost_replies": 1},
    "The producer dies once": {"crashes": 1},
    "Two requests are lost": {"lost_requests": 2},
}


def keeps_its_promise(view, faults):
    """In the end no record is missing, and a fault repeats at most the one record that it struck."""
    missing = sorted({*range(1, PRODUCER_RECORDS + 1)} - {*view.outputs})
    if view.done and missing:
        return f"the log holds {view.outputs}: record {missing[0]} is lost"
    if len(view.outputs) > PRODUCER_RECORDS + faults:
        return f"the log holds {view.outputs}: each fault may repeat one record, and no more"
    return strayed(view) or True


@gap("03-producer", refuses=(producer_that_retries,))
def check_producer(answer):
    """Prove the producer under one fault of each kind, and under two lost requests: one more try is not enough."""
    program = sends(answer, PRODUCER_RECORDS)
    refused = stumbles(program, PRODUCER_RECORDS, sent_nothing)
    for when, bounds in PRODUCER_CASES.items():
        rule = partial(keeps_its_promise, faults=sum(bounds.values()))
        refused = refused or broken(program, rule, **{when: bounds})
    return refused or right(
        "No record is lost, wherever one reply or two requests get lost, or the producer dies once. Your producer is "
        "kept in my-work/built/, and chapter 05 takes it up."
    )

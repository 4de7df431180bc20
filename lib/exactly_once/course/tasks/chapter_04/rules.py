"""What exercises 04c and 04d share: a handler of the learner's own, put through every crash under a rule."""

import functools

from .... import show as drawing
from ....errors import what_failed
from ....handlers import at_least_once
from ....node.words import spans
from ....pipeline import Job
from ....simulate import simulate
from ....stores.codec import decode, encode
from ..reply import right, unsolved, wrong
from ..run_answer import calm, calm_picture, proved

JOB = Job(items=4, duration=2, threshold=3)


@functools.cache
def wanted():
    """Return (outputs, counter): what the chapter's handler leaves when nothing goes wrong."""
    outcome = simulate(at_least_once, job=JOB).outcome
    return tuple(decode(text) for text in outcome.outputs), outcome.counter


def averages_of(hours):
    hours = list(hours)
    return f"the average of {spans(hours)} is" if len(hours) == 1 else f"the averages of {spans(hours)} are"


def check(rule, praise, remains, handler):
    if handler is ...:
        return unsolved("your handler")
    outputs, counter = wanted()
    run = calm(handler, JOB)
    if run.error:
        what = what_failed(run.error)
        return wrong(f"The handler itself failed: {what}", run, handler, traceback=run.error)
    if not any(event.kind == "send" for event in run.trace):
        return unsolved("the body of your handler")
    left = tuple(run.outcome.outputs)
    if left != tuple(map(encode, outputs)) or run.outcome.counter != counter:
        said = f"{len(left)} {'average' if len(left) == 1 else 'averages'} and the counter {run.outcome.counter}"
        should = f"the {len(outputs)} averages of the hours and the counter {counter}"
        if len(left) == len(outputs) and run.outcome.counter == counter:
            said = "averages that are not those of the hours"
        return wrong(
            f"Even when nothing goes wrong the handler leaves {said}; it should leave {should}.",
            run,
            handler,
            drawing.spacetime(run, 2),
        )
    bound = functools.partial(rule, outputs=outputs, counter=counter)
    proof = proved(handler, bound, JOB, crashes=1)
    if proof.counterexample is not None:
        found = proof.counterexample
        return wrong(found.sentence, found, handler)
    if not proof.exhausted:
        return wrong(f"Not proved: {proof.stopped}. Write it with fewer steps.")
    return right(f"{praise} ({proof.states:,} states, one crash anywhere.) {remains(handler, outputs, counter)}")


def show(handler):
    """Draw what a handler does in a calm run, at hour 2."""
    return calm_picture(handler, JOB, 2)

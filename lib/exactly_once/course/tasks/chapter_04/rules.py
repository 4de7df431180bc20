"""Exercises 04c and 04d: handlers of the learner's own, put through every crash under a rule."""

import functools

from .... import show as drawing
from ....errors import what_failed
from ....handlers import at_least_once
from ....node.words import spans
from ....pipeline import Job
from ....simulate import simulate
from ....stores.codec import decode, encode
from ...reply import right, unsolved, wrong
from ...trial import calm, calm_picture, proved
from ..task import Task

JOB = Job(items=4, duration=2, threshold=3)


@functools.cache
def wanted():
    """Return (outputs, counter): what the chapter's handler leaves when nothing goes wrong."""
    outcome = simulate(at_least_once, job=JOB).outcome
    return tuple(decode(text) for text in outcome.outputs), outcome.counter


def keyed(view, outputs, counter):
    """The rule of 04c: the output is right at every moment, and complete in the end; no increment is missing."""
    if said := _first_oddity(view.outputs, outputs):
        return said
    if view.done and len(view.outputs) < len(outputs):
        return f"{_hours(range(len(view.outputs) + 1, len(outputs) + 1))} missing from the output"
    if view.done and view.counter < counter:
        return f"the counter is {view.counter} and should be at least {counter}: an increment is missing"
    return True


def losing(view, outputs, counter):
    """The rule of 04d: nothing is there twice or wrong at any moment; in the end no more than one item is lost."""
    hours = []
    for value in view.outputs:
        if value not in outputs:
            return f"the output holds the average {float(value):.2f}, which is right for no hour{_after(hours)}"
        hour = outputs.index(value) + 1
        if hour in hours:
            return f"the average of hour {hour} is in the output more than once"
        if hours and hour < hours[-1]:
            return f"the average of hour {hour} comes after that of hour {hours[-1]}"
        hours.append(hour)
    if view.counter > counter:
        return f"the counter is {view.counter} and should never be more than {counter}: an increment is doubled"
    lost = sorted(set(range(1, len(outputs) + 1)) - set(hours))
    if view.done and len(lost) > 1:
        return f"{_hours(lost)} missing from the output; one crash may cost one item, no more"
    if view.done and view.counter < counter - 1:
        return f"the counter is {view.counter}, and with one item lost it should be {counter - 1} at least"
    return True


def _first_oddity(found, outputs):
    for place, value in enumerate(found):
        if place < len(outputs) and value == outputs[place]:
            continue
        if value in outputs[:place]:
            return f"the average of hour {outputs.index(value) + 1} is in the output more than once"
        if value in outputs:
            return f"the average of hour {place + 1} is missing from the output, and a later one is there"
        return f"the average of hour {place + 1} is wrong"
    return None


def _hours(hours):
    hours = list(hours)
    return f"the average of {spans(hours)} is" if len(hours) == 1 else f"the averages of {spans(hours)} are"


def _after(hours):
    return f", after that of hour {hours[-1]}" if hours else ""


def _check(rule, praise, remains, handler):
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


def _remains(handler, outputs, counter):
    """Say what a keyed output has left unrepaired, found by the same search."""
    exact = functools.partial(counted, counter=counter)
    found = proved(handler, exact, JOB, crashes=1).counterexample
    if found is None:
        return "And the counter is right as well, which the exercise did not ask for."
    return f"What remains: {found.sentence} The output is one system, the database another."


def counted(view, counter):
    """The rule that shows what remains: the counter is right in the end."""
    return not view.done or view.counter == counter or f"the counter is {view.counter} and should be {counter}"


def _lost(handler, outputs, counter):
    whole = functools.partial(complete, outputs=outputs)
    found = proved(handler, whole, JOB, crashes=1).counterexample
    return "It never loses an average at all." if found is None else f"The price: {found.sentence}"


def complete(view, outputs):
    """The rule that shows the price of 04d: all averages are there in the end."""
    lost = [hour for hour, value in enumerate(outputs, 1) if value not in view.outputs]
    return not view.done or not lost or f"{_hours(lost)} missing from the output"


def show(handler):
    """Draw what a handler does in a calm run, at hour 2."""
    return calm_picture(handler, JOB, 2)


KEYED = Task(
    title="make the output idempotent by a key",
    show=show,
    check=functools.partial(_check, keyed, "The output is right at every moment, wherever the process dies.", _remains),
    hints=(
        "An append cannot be recognised when it is repeated. A write to a place of its own can: which place belongs to "
        "hour 3, and to no other hour?",
        "node.registers.cas(name, 0, value) writes only if nothing was written under that name. With the names "
        "output.0, output.1, … the registers are the output, so the place of an hour is its hour less one.",
        "Now no average is there twice. But some are wrong: after a crash at D the window holds an hour twice, and the "
        "averages of the hours after it are computed from it. How can the handler tell that the window has this hour?",
        "Before window.push: newest = max((reading.hour for reading in window.readings), default=0), and push only "
        "those items whose hour is greater. The window is then idempotent too, and the key does the rest.",
    ),
)
LOSING = Task(
    title="write a handler whose only damage is a lost item",
    show=show,
    check=functools.partial(
        _check, losing, "Nothing is ever there twice or wrong, and one crash costs one item at most.", _lost
    ),
    hints=(
        "A lost item, and nothing doubled: which write must come first?",
        "With the positions first, a crash before the state is saved leaves out one hour of the window, and the next "
        "averages are wrong. Could state and positions be saved in one write?",
        "node.state.save takes any value that a store can keep, such as a dictionary. What is in one cell is saved in "
        "one step. Ask node.running(positions) then, since positions.load is no longer what tells where you are.",
        "saved = node.state.load(); if it is a dictionary, it holds positions and window, else begin with node.start "
        "and an empty Window. In the loop: node.state.save({'positions': next_positions, 'window': window}) first, "
        "then node.output.push, then the increment.",
    ),
)

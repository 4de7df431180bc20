"""Exercise 04c: an output that is right at every moment, wherever the process dies."""

import functools

from ..run_answer import proved
from ..task import Task
from .rules import JOB, averages_of, check, show


def keyed(view, outputs, counter):
    """The rule of 04c: the output is right at every moment, and complete in the end; no increment is missing."""
    if said := _first_oddity(view.outputs, outputs):
        return said
    if view.done and len(view.outputs) < len(outputs):
        return f"{averages_of(range(len(view.outputs) + 1, len(outputs) + 1))} missing from the output"
    if view.done and view.counter < counter:
        return f"the counter is {view.counter} and should be at least {counter}: an increment is missing"
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


TASK = Task(
    title="make the output idempotent by a key",
    answer="keyed",
    show=show,
    check=functools.partial(
        check, keyed, "The output is right at every moment, wherever the process dies.", _remains
    ),
    hints=(
        "An append cannot be recognised when it is repeated. A write to a place of its own can: which place belongs "
        "to hour 3, and to no other hour?",
        "node.registers.cas(name, 0, value) writes only if nothing was written under that name. With the names "
        "output.0, output.1, … the registers are the output, so the place of an hour is its hour less one.",
        "Now no average is there twice. But some are wrong: after a crash at D the window holds an hour twice, and "
        "the averages of the hours after it are computed from it. How can the handler tell that the "
        "window has this hour?",
        "Before window.push: newest = max((reading.hour for reading in window.readings), default=0), and push only "
        "those items whose hour is greater. The window is then idempotent too, and the key does the rest.",
    ),
)

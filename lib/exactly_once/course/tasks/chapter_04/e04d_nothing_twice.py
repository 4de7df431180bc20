"""Exercise 04d: nothing twice at any moment, and no more than one item lost."""

import functools

from ..run_answer import proved
from ..task import Task
from .rules import JOB, averages_of, check, show


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
        return f"{averages_of(lost)} missing from the output; one crash may cost one item, no more"
    if view.done and view.counter < counter - 1:
        return f"the counter is {view.counter}, and with one item lost it should be {counter - 1} at least"
    return True


def _after(hours):
    return f", after that of hour {hours[-1]}" if hours else ""


def _lost(handler, outputs, counter):
    whole = functools.partial(complete, outputs=outputs)
    found = proved(handler, whole, JOB, crashes=1).counterexample
    return "It never loses an average at all." if found is None else f"The price: {found.sentence}"


def complete(view, outputs):
    """The rule that shows the price of 04d: all averages are there in the end."""
    lost = [hour for hour, value in enumerate(outputs, 1) if value not in view.outputs]
    return not view.done or not lost or f"{averages_of(lost)} missing from the output"


TASK = Task(
    title="write a handler whose only damage is a lost item",
    answer="losing",
    show=show,
    check=functools.partial(
        check, losing, "Nothing is ever there twice or wrong, and one crash costs one item at most.", _lost
    ),
    hints=(
        "A lost item, and nothing doubled: which write must come first?",
        "With the positions first, a crash before the state is saved leaves out one hour of the window, and the next "
        "averages are wrong. Could state and positions be saved in one write?",
        "node.state.save takes any value that a store can keep, such as a dictionary. What is in one cell is saved "
        "in one step. Ask node.running(positions) then, since positions.load is no longer what tells where you are.",
        "saved = node.state.load(); if it is a dictionary, it holds positions and window, else begin with node.start "
        "and an empty Window. In the loop: node.state.save({'positions': next_positions, 'window': window}) first, "
        "then node.output.push, then the increment.",
    ),
)

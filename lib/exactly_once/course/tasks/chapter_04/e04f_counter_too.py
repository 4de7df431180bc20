"""Exercise 04f: output and counter right in the end, in two systems, whatever single fault strikes."""

import functools

from ....node.words import describe
from ....pipeline import Job, Window
from ..challenge import Challenge

SYSTEM, CELL = "accounts", "counter"


@functools.cache
def wanted(job):
    """Return (averages, counted): each hour's average, and how many windows are above the threshold."""
    window, averages, counted = Window(), [], 0
    for readings in zip(*job.inputs().values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        averages.append(window.average())
        counted += len(window) > job.threshold
    return averages, counted


def both_right(view, job):
    """In the end: each hour's average once and in order, and the counter at the number of windows to count."""
    averages, counted = wanted(job)
    return not view.done or (list(view.outputs) == averages and in_accounts(view) == counted)


def in_accounts(view):
    """Return the counter, or 0 where nothing was written to it."""
    try:
        return view.look(SYSTEM, CELL, "cell") or 0
    except KeyError:  # no run of this handler asks for the system
        return 0


def objection(view, job):
    """Return what is wrong in the end, in words."""
    (averages, counted), outputs = wanted(job), list(view.outputs)
    for hour, average in enumerate(averages, 1):
        if hour > len(outputs):
            return f"the average of hour {hour} is missing from the output"
        if outputs[hour - 1] != average:
            if outputs[hour - 1] in averages[: hour - 1]:
                return f"the average of hour {averages.index(outputs[hour - 1]) + 1} is in the output twice"
            return f"at the place of hour {hour} the output holds something else than its average"
    if len(outputs) > len(averages):
        return f"the output holds more than the {len(averages)} averages"
    return f"the counter is {describe(in_accounts(view))} and should be {counted}"


TASK = Challenge(
    title="output and counter both right, in two systems",
    answer="exact",
    rule=both_right,
    objection=objection,
    jobs=(Job(items=2, duration=2, threshold=1), Job(items=4, duration=2, threshold=3)),
    praise="Output and counter are right in the end, in two systems and without a transaction across them.",
    hints=(
        "No handler can help doing an item again. So ask of each write: what if it is done a second time? And what "
        "if it arrives late, when later ones have been done already?",
        "A handler that reads the counter and writes one more decides by what it finds, and after a crash it finds "
        "its own effect. An item that is done again has to send the very same request as the first time. What must "
        "the next life know for that?",
        "cas(cell, version, value) takes effect once, however often it is sent, if the version is computed instead "
        "of read: the n-th counted window expects version n − 1. So n is a third thing that the next life has to "
        "find, and it must fit positions and window at every moment.",
        "The last write of an item: node.state.save({'positions': …, 'window': …, 'count': …}), all three in one "
        "step. Before it: node.registers.cas(f'output.{hour - 1}', 0, window.average()) and, above the threshold, "
        "accounts.cas('counter', count, count + 1), in either order.",
    ),
)

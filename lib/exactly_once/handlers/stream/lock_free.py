"""The stream handler as a pure function in the lock-free machine, and the database's own handler beside it.

State and positions are in one store, the queues in another, the counter in a third; no step touches two of them. Each
count is a message of a queue. The database's handler applies it, with the index of the next message in the same
transaction of the database. Any number of nodes may run the machine at once, and any number the database's part.
Source: the article on heterogeneous concurrent exactly-once processing by lock-free half-transactions.
"""

from ...lockfree.general import Form, drive, go_on
from ...node.program import OUTPUT, deployed_with
from ...node.world import DATABASE, MACHINE, QUEUES
from ...pipeline import Window
from .naive import at_least_once
from .offset_in_sink import INDEX, QUEUE, counter_sink

FORM = Form(Window(), (OUTPUT, QUEUE), MACHINE[1], points=True)
OWN = (DATABASE, INDEX), (QUEUES, QUEUE)


def average(duration):
    """Return the pure function: of a window of `duration` hours, the average."""

    def step(window, readings):
        window = Window([*window.readings, *readings])
        window.trim(duration)
        return window, [window.average()]

    return step


def averages(duration, threshold):
    """Return the pure function: of a window of `duration` hours, the average, and the hour if it is to be counted."""
    averaged = average(duration)

    def step(window, readings):
        window, outputs = averaged(window, readings)
        counted = readings[0].hour if len(window) > threshold else None
        return window, [*outputs, counted]

    return step


@deployed_with(
    counter_sink, at_least_once, go_on, protocol=None, machine=MACHINE, feeds=(QUEUE,), own=OWN
)  # fmt: skip
def lock_free(node):
    """Push the average of each hour's window, and what is to be counted as a message, by the lock-free machine."""
    drive(node, averages(node.duration, node.threshold), FORM)

"""The second half of the lock-free handler by itself: database handlers over one queue, and what they promise."""

from exactly_once import CellSource, Numbers, Program
from exactly_once.handlers import INDEX, QUEUE, counter_sink
from exactly_once.lockfree import Given, Queue

OWN = ("database", INDEX), ("queues", QUEUE)


def database_twins(messages=2, nodes=2, filled=True):
    """Return the programs of `nodes` database handlers over one queue: the second half of `lock_free`, by itself.

    The queue has so many messages beforehand; or, if it is not `filled`, one more node fills it meanwhile, cell by
    cell. It is all that the database's handler sees of the first half.
    """
    values = tuple(range(1, messages + 1))
    source = Given((QUEUE,), (values,)) if filled else CellSource((QUEUE,))
    twins = [Program(counter_sink, source, name="sink", own=OWN)] * nodes

    def fills(node):
        for index, value in enumerate(values):
            Queue(node.store("queues"), QUEUE).push_at_idempotent(value, index)

    return twins if filled else [*twins, Program(fills, Numbers(messages), name="filler", feeds=(QUEUE,))]


def counted_once(messages):
    """Return an invariant: the counter and the index are the same at every moment, and `messages` in the end."""

    def rule(view):
        counter, index = view.counter, view.look("database", INDEX, "cell") or 0
        if counter != index:
            return f"the counter is {counter}, and the index {index}"
        return not view.done or counter == messages or f"the counter is {counter}, for {messages} messages"

    return rule

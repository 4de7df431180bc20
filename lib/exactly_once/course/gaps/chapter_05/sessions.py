"""What the gaps of chapter 05 share: the learner's producer over a client."""

from ....handlers.logs.idempotent import readings
from ....handlers.logs.producer import producer_that_retries
from ....node import Numbers, Program
from ..sides import strayed


class NodeWith:
    """A node as its producer sees it whose records go through a client: `output` is the client."""

    def __init__(self, node, output):
        self.node, self.output = node, output

    def __getattr__(self, name):
        return getattr(self.node, name)


def through(client, producer=producer_that_retries):
    """Return a producer that pushes through `client(node)`, a new one in each life."""

    def numbered(node):
        producer(NodeWith(node, client(node)))

    return numbered


def writes(producer, records, rule="kafka"):
    """Return the program of a producer of the numbers from 1 on, over a broker with a sequence rule."""
    return Program(producer, Numbers(records), readings(rule), "producer")


def once_each(records, keyed=True):
    """Return the rule that the log holds the numbers from 1 on, each once and in order, and in the end all.

    With `keyed` each has to be there under its key.
    """

    def rule(view):
        found = list(view.outputs)
        if found != [*range(1, len(found) + 1)]:
            return f"the log holds {found}"
        if keyed and (elsewhere := strayed(view)):
            return elsewhere
        return not view.done or len(found) == records or f"the producer is done, and the log holds {found}"

    return rule

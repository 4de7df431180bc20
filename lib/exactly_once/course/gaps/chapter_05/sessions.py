"""What the gaps of chapter 05 share: the learner's producer over a client, and a proof under one fault after the
other.
"""

from ....handlers.idempotent import readings
from ....handlers.producer import producer_that_retries
from ....node import Numbers, Program
from ...tasks.reply import wrong
from ...tasks.run_answer import proved
from ..chapter_03.sides import strayed


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


def broken(program, rule, cases):
    """Return the reply to the first of `cases`, {words: bounds of `prove`}, that breaks a rule, or None."""
    for words, bounds in cases.items():
        proof = proved(program, rule, None, **{"crashes": 0, **bounds})
        if proof.counterexample is not None:
            return wrong(f"{words}. {proof.counterexample.sentence}", proof.counterexample, program)
        if not proof.exhausted:
            return wrong(f"{words}. That is not proved: {proof.stopped}. Write it with fewer steps.")
    return None

"""The producer's side of a log: records from its inputs go into the log, and some requests get no answer.

After `OutcomeUnknown` a producer can send again or give up, and after a crash the same: its position in its own
inputs says from where the next incarnation goes on. Both choose alike in both cases. Source: the article on
Kafka's delivery semantics, after the design section of Kafka's documentation, 4.6.
"""

from ...errors import OutcomeUnknown


def insist(operation, *arguments):
    """Ask until an answer comes. Harmless for idempotent operations: loads, reads, saves that overwrite."""
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            continue


def attempt(operation, *arguments):
    """Ask once, and let the matter rest when no answer comes."""
    try:
        operation(*arguments)
    except OutcomeUnknown:
        return


def producer_that_retries(node):
    """Push each record until it is acknowledged, then note that it is sent: at-least-once."""
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        positions = next_positions


def producer_that_gives_up(node):
    """Note that the record is sent, then push it once, whatever the answer: at-most-once."""
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.positions.save, next_positions)
        attempt(node.output.push, items[0].value, items[0].key)
        positions = next_positions


def push_or_ask(node, record):
    """Push a record until it is acknowledged, or seen in the log."""
    while True:
        try:
            return node.output.push(record.value, record.key)
        except OutcomeUnknown:
            if record.value in insist(node.output.read):
                return None


PRODUCERS = {"retry": producer_that_retries, "give up": producer_that_gives_up}

"""The stream handler with output, state and positions in one transaction, and the coordinator that ends it.

Both nodes are needed, and the one is deployed with the other: the coordinator carries out the handler's decisions,
marker by marker. Source: KIP-98, and the consume-transform-produce loop of Kafka's documentation; the state goes to a
changelog, as in Kafka Streams. An incarnation that is fenced ends by `ProducerFenced`, as one ends that gives up.
"""

from ...node.node import CHANGELOG, GROUP, OUTPUT
from ...node.program import deployed_with
from .naive import at_least_once


def coordinator(node):
    """Finish what is decided, transaction by transaction, until all producers have ended."""
    epoch = node.transactions.recover()
    while (due := node.transactions.due(epoch)) is not None:
        for partition in due.partitions:
            node.transactions.write_marker(due, partition)
        node.transactions.complete(due)


@deployed_with(coordinator, at_least_once)
def transactional(node):
    """Push the average of each hour's window; its state and its positions are records of the same transaction."""
    producer = node.transactions.producer("stream handler")
    producer.init_transactions()
    positions = node.transactions.positions()
    window = node.transactions.state()
    while node.running(positions):
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        producer.begin_transaction()
        node.crash_point("A")
        producer.send(OUTPUT, [window.average()])
        if len(window) > node.threshold:
            node.crash_point("B")
            node.database.increment()
        node.crash_point("C")
        producer.send(CHANGELOG, [window])
        node.crash_point("D")
        producer.send_offsets_to_transaction(next_positions, GROUP)
        producer.commit_transaction()
        node.crash_point("E")
        positions = next_positions

"""The stream handler with each position beside its effect: in one transaction of the store that has the effect.

Output, state and positions are in the engine's store, and so is a queue. The same transaction puts a message into the
queue for each window above the threshold. A second handler applies each message to the database, with the index of
the next one, in one transaction. Source: Kafka's documentation, section "Message Delivery Semantics".
"""

from ...node.program import deployed_with
from .naive import at_least_once

QUEUE = "increments"
INDEX = "index"  # the cell in the database that says which message is next


def counter_sink(node):
    """Add one to the counter for each message; the index moves on in the same transaction."""
    version, index = node.database.read(INDEX)
    while node.running():
        messages, positions = node.read({QUEUE: index or 0})
        node.crash_point("A")
        following = positions[QUEUE]
        node.database.transact(("cas", INDEX, version, following), ("add", "counter", len(messages)))
        node.crash_point("E")
        version, index = node.database.read(INDEX)


@deployed_with(counter_sink, at_least_once, protocol=None, queue=QUEUE, own=(("database", INDEX),))
def offset_in_sink(node):
    """Push the average of each hour's window; what is to be counted goes as a message, in the same transaction."""
    engine = node.engine()
    engine.fence()
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        engine.begin()
        node.crash_point("A")
        engine.push(window.average())
        if len(window) > node.threshold:
            node.crash_point("B")
            engine.send(items[0].hour)
        node.crash_point("C")
        engine.save_state(window)
        node.crash_point("D")
        engine.save_positions(next_positions)
        engine.commit()
        node.crash_point("E")
        positions = next_positions

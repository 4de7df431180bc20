from exactly_once.course.kit import gap
from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE


def sink(node):
    """Count each message of the queue once."""
    version, index = node.database.read(INDEX)
    while node.running():
        message, positions = node.read({QUEUE: index or 0})
        ### BEGIN SOLUTION
        following = positions[QUEUE]
        node.database.transact(("cas", INDEX, version, following), ("add", "counter", 1))
        version, index = node.database.read(INDEX)
        ### END SOLUTION


beside = gap("07-sink", sink)
beside

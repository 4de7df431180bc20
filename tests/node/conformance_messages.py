"""Handlers that send, receive and lock, for the conformance suite of worlds."""

from tests.node.conformance_handlers import insisting


def messenger(retries=0):
    """Return a handler that sends each hour to itself, receives one, and pushes what it received."""
    insist = insisting(retries)

    def handler(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            insist(node.send, node.number, items[0].hour)
            node.output.push(list(insist(node.receive)))
            node.positions.save(positions)

    return handler


def locker(retries=0):
    """Return a handler that pushes each hour under a lock, and at the end whether the lock was still held."""
    insist = insisting(retries)

    def handler(node):
        positions = node.positions.load()
        lock = node.lock("one")
        while node.running():
            items, positions = node.read(positions)
            insist(lock.acquire)
            node.crash_point("A")
            node.output.push(items[0].hour)
            insist(lock.release)
            node.positions.save(positions)
        with lock, lock, node.lock("another"):
            node.output.push(lock.release())
        node.output.push([lock.release(), node.number, node.nodes])

    return handler


def messages(node):
    """Push the received messages in their order."""
    for message in (1, "two", (3, [4]), None):
        node.send(1, message)
    node.output.push([list(node.receive(sender)) for sender in (None, 1, None, 1)])

"""Handlers that send, receive and lock, for the conformance suite of worlds."""

from exactly_once.errors import BadInput, OutcomeUnknown


def insisting(retries):
    """Return a function that takes a step up to `retries` times more when its outcome is unknown."""

    def insist(step, *arguments):
        for attempt in range(retries + 1):
            try:
                return step(*arguments)
            except OutcomeUnknown:
                if attempt == retries:
                    raise
        raise AssertionError("the last attempt returns or raises")

    return insist


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


def messages_and_refusals(node):
    """Push the received messages in their order, and the number of refused wrong calls."""
    for message in (1, "two", (3, [4]), None):
        node.send(1, message)
    node.output.push([list(node.receive(sender)) for sender in (None, 1, None, 1)])
    refused = 0
    for attempt, *arguments in (
        *((node.send, to, "x") for to in (0, 2, -1, "1", None, True, 1.0)),
        *((node.send, 1, message) for message in (object(), {1: 2}, float("nan"))),
        *((node.receive, sender) for sender in (0, 2, "1", True)),
        *((node.lock, name) for name in (None, "", 3, ["a"])),
    ):
        try:
            attempt(*arguments)
        except BadInput as why:
            refused += str(why).endswith(".")
    node.output.push(refused)

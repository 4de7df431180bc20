"""The consumer's side of a log: it reads records in batches, applies their effects, and saves its position.

Two choices determine the damage of a crash: the position is saved before or after the effects, and an effect adds a
value or overwrites the value under a key. Source: the article on Kafka's delivery semantics, after the design section
of Kafka's documentation, 4.6.
"""

from ...errors import one_of, whole


def add(node, item):
    """Count the record under its key: one more for each time that it is processed."""
    node.database.increment(item.key)


def overwrite(node, item):
    """Put the record's value under its key: whatever was there is gone."""
    version, _ = node.registers.read(item.key)
    node.registers.cas(item.key, version, item.value)


def fetch(node, positions, most):
    """Return (items, next positions) of up to `most` reads from `positions` on."""
    items = []
    for _ in range(most):
        if not node.running(positions):
            break
        found, positions = node.read(positions)
        items += found
    return items, positions


UPDATES = {"add": add, "overwrite": overwrite}
EFFECTS = {
    "add": ("database.increment",),
    "overwrite": ("register.read", "register.cas"),
}  # the last changes something
POSITIONS = ("first", "last")


def consumer(position="last", update="add", batch=1):
    """Return the handler of a consumer.

    `position` is "last" (process a batch, then save the position: at-least-once) or "first" (save, then process:
    at-most-once); `update` is "add" or "overwrite"; `batch` is how many reads go by from one save to the next, as
    consumers commit now and then and not after each record. Raises `BadInput` for anything else.
    """
    process = UPDATES[one_of("what an update does", update, UPDATES)]
    one_of("when the position is saved", position, POSITIONS)
    whole("the number of reads of a batch", batch, least=1)

    def position_last(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = fetch(node, positions, batch)
            for item in items:
                process(node, item)
            node.positions.save(positions)

    def position_first(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = fetch(node, positions, batch)
            node.positions.save(positions)
            for item in items:
                process(node, item)

    return position_last if position == "last" else position_first

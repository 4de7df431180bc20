from exactly_once.handlers.logs.producer import attempt

REASON = "One request is lost, and a side dies once. After this schedule the counters come to 2"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        attempt(node.positions.save, positions)
        for item in items:
            node.database.increment(item.key)

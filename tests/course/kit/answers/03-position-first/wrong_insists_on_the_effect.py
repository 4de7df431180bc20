from exactly_once.handlers.logs.producer import insist

REASON = "One reply is lost. After this schedule the counters come to"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.positions.save(positions)
        for item in items:
            insist(node.database.increment, item.key)

from exactly_once.node.access.transactions import CHANGELOG, GROUP, OUTPUT

REASON = "positions"


def answer(node):
    producer = node.transactions.producer("averages")
    producer.init_transactions()
    positions = node.transactions.positions()
    window = node.transactions.state()
    while node.running(positions):
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        producer.begin_transaction()
        producer.send(OUTPUT, [window.average()])
        if len(window) > node.threshold:
            node.database.increment()
        producer.send(CHANGELOG, [window])
        producer.send_offsets_to_transaction(positions, GROUP)
        producer.commit_transaction()
        positions = next_positions

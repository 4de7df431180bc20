"""Answers to the gap 06-together."""

from tests.course.answers import Answers

given = """
    from exactly_once.node.access.transactions import CHANGELOG, GROUP, OUTPUT
"""
answers = Answers("06-together", given)

answers.right("state before output").code("""
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
            producer.send(CHANGELOG, [window])
            producer.send(OUTPUT, [window.average()])
            if len(window) > node.threshold:
                node.database.increment()
            producer.send_offsets_to_transaction(next_positions, GROUP)
            producer.commit_transaction()
            positions = next_positions
""")

answers.right("counter first", of="state before output").diff("""
    -        producer.send(CHANGELOG, [window])
    -        producer.send(OUTPUT, [window.average()])
    @@
             producer.send_offsets_to_transaction(next_positions, GROUP)
    +        producer.send(CHANGELOG, [window])
    +        producer.send(OUTPUT, [window.average()])
""")

answers.wrong("no changelog", of="state before output", reason="window").diff("""
    -        producer.send(CHANGELOG, [window])
""")

answers.wrong("state behind the commit", of="state before output", reason="send() was called").diff("""
    -        producer.send(CHANGELOG, [window])
    @@
             producer.commit_transaction()
    +        producer.send(CHANGELOG, [window])
""")

answers.wrong("counter after the commit", of="counts every hour", reason="the counter is 1 and should be 2").diff("""
    -        node.database.increment()
    @@
             producer.commit_transaction()
    +        if len(window) > node.threshold:
    +            node.database.increment()
""")

answers.wrong("no commit", of="state before output", reason="begin_transaction() was called").diff("""
    -        producer.send(CHANGELOG, [window])
    @@
    +        producer.send(CHANGELOG, [window])
             producer.send_offsets_to_transaction(next_positions, GROUP)
    -        producer.commit_transaction()
""")

answers.wrong("old positions", of="state before output", reason="positions").diff("""
    -        producer.send(CHANGELOG, [window])
    @@
    -        producer.send_offsets_to_transaction(next_positions, GROUP)
    +        producer.send(CHANGELOG, [window])
    +        producer.send_offsets_to_transaction(positions, GROUP)
""")

answers.wrong("positions apart", of="state before output", reason="the saved positions").diff("""
    -        producer.send(CHANGELOG, [window])
    @@
    -        producer.send_offsets_to_transaction(next_positions, GROUP)
    +        producer.send(CHANGELOG, [window])
             producer.commit_transaction()
    +        node.positions.save(next_positions)
""")

answers.wrong("two transactions", of="state before output", reason="more than once").diff("""
    -        producer.send(CHANGELOG, [window])
             producer.send(OUTPUT, [window.average()])
    +        producer.commit_transaction()
    +        producer.begin_transaction()
    @@
                 node.database.increment()
    +        producer.send(CHANGELOG, [window])
""")

answers.wrong("counts every hour", reason="the counter").code("""
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
            node.database.increment()
            producer.send(CHANGELOG, [window])
            producer.send_offsets_to_transaction(next_positions, GROUP)
            producer.commit_transaction()
            positions = next_positions
""")

answers.wrong("nothing leaves the window", ("        window.trim(node.duration)\n", ""), reason="With nothing killed")

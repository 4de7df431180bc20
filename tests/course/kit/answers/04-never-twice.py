"""Answers to the gap 04-never-twice."""

from tests.course.answers import Answers

answers = Answers("04-never-twice")

answers.right("looks into the output").code("""
    def answer(node):
        positions = node.positions.load()
        window = node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            if len(node.output.read()) < items[0].hour:
                node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
            node.state.save(window)
            node.positions.save(next_positions)
            positions = next_positions
""")

answers.right("the counter first", of="looks into the output").diff("""
    -        if len(node.output.read()) < items[0].hour:
    -            node.output.push(window.average())
    @@
    +        node.positions.save(next_positions)
    +        node.output.push(window.average())
             node.state.save(window)
    -        node.positions.save(next_positions)
""")

answers.wrong("fails", ("output.push", "output.append"), reason="your handler fails")

answers.wrong("forgets the positions", reason="the saved positions are").diff("""
    -        node.positions.save(next_positions)
""")

answers.wrong("no counter", reason="the counter is 0 and should be 1").diff("""
    -        if len(window) > node.threshold:
    -            node.database.increment()
""")

answers.wrong("as it was", of="looks into the output", reason="A crash doubles an average").diff("""
    -        if len(node.output.read()) < items[0].hour:
    -            node.output.push(window.average())
    +        node.output.push(window.average())
""")

answers.wrong("state first", reason="A crash doubles an average").diff("""
    -        node.positions.save(next_positions)
    @@
             node.output.push(window.average())
    +        node.positions.save(next_positions)
""")

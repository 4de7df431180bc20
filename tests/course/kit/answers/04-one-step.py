"""Answers to the gap 04-one-step."""

from tests.course.answers import Answers

answers = Answers("04-one-step", given="from exactly_once import Window")

answers.right("the counter first").code("""
    def answer(node):
        saved = node.state.load()
        window, positions = saved or (Window(), node.start)
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            if len(window) > node.threshold:
                node.database.increment()
            node.output.push(window.average())
            node.state.save([window, positions])
""")

answers.right("a dictionary of its own").code("""
    def answer(node):
        saved = node.state.load() or {"window": Window(), "positions": node.start}
        window, positions = saved["window"], saved["positions"]
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
            node.state.save({"positions": positions, "window": window})
""")

answers.wrong("saves first", reason="is missing from the output").diff("""
    +        node.state.save([window, positions])
             node.output.push(window.average())
             if len(window) > node.threshold:
                 node.database.increment()
    -        node.state.save([window, positions])
""")

answers.wrong("between the effects", reason="the counter is 1 and should be 2 at least").diff("""
    +        node.state.save([window, positions])
             if len(window) > node.threshold:
                 node.database.increment()
    -        node.state.save([window, positions])
""")

answers.wrong("saves nothing of the positions", reason="your handler fails").diff("""
    -        node.state.save([window, positions])
    +        node.state.save([window])
    +        node.state.load()[1]
""")

answers.wrong("no counter", reason="the counter at 0").diff("""
    -        if len(window) > node.threshold:
    -            node.database.increment()
""")

answers.wrong("two writes", reason="an average in the output is wrong").code("""
    def answer(node):
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
            node.state.save(window)
            node.positions.save(positions)
""")

answers.wrong("nothing leaves the window", ("        window.trim(node.duration)\n", ""), reason="With nothing killed")

# One window holds just as many numbers as the threshold says.
answers.wrong("at the threshold", ("> node.threshold", ">= node.threshold"), reason="the counter at 3")

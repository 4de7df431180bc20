"""Answers to the gap 04-what-it-saves."""

from tests.course.answers import Answers

answers = Answers("04-what-it-saves")

answers.right("untrimmed and as a helper").code("""
    def answer(node):
        positions = node.positions.load()
        window = node.state.load()

        def save():
            node.positions.save(positions)
            node.state.save(window)

        while node.running():
            save()
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            save()
""")

answers.right("before the push").diff("""
    +        node.positions.save(positions)
    +        node.state.save(window)
             node.output.push(window.average())
    -        node.state.save(window)
    -        node.positions.save(positions)
""")

answers.wrong("positions only", reason="the state is not saved").diff("""
    -        node.state.save(window)
""")

answers.wrong("pushes no more", reason="not the average of each hour").diff("""
    -        node.output.push(window.average())
""")

answers.wrong("state only", reason="the positions are not saved").diff("""
    -        node.positions.save(positions)
""")

answers.wrong("after the loop", reason="not with the values of the end of each iteration").diff("""
    -        node.state.save(window)
    -        node.positions.save(positions)
    +    node.state.save(window)
    +    node.positions.save(positions)
""")

answers.wrong("saves an old window", reason="not with the values of the end of each iteration").code("""
    def answer(node):
        positions = node.positions.load()
        window = node.state.load()
        while node.running():
            items, positions = node.read(positions)
            node.state.save(window)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            node.positions.save(positions)
""")

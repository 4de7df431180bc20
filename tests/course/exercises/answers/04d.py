"""Answers to the exercise 04d."""

from tests.course.answers import Answers

given = """
    from exactly_once.pipeline import Window
"""
answers = Answers("04d", given)

# Positions and window in one register, with a version; the counter before the output.
answers.right("counter first and a register").code("""
    def answer(node):
        version, saved = node.registers.read("progress")
        positions, window = saved if version else (node.start, Window())
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.registers.cas("progress", version, [positions, window])
            version += 1
            if len(window) > node.threshold:
                node.database.increment()
            node.output.push(window.average())
""")

# Saves positions alone, first, and reads the window's hours again in each pass.
answers.right("window read again").code("""
    def answer(node):
        positions = node.positions.load()
        while node.running(positions):
            window = Window()
            at = {stream: max(0, offset + 1 - node.duration) for stream, offset in positions.items()}
            while at != {stream: offset + 1 for stream, offset in positions.items()}:
                items, at = node.read(at)
                window.push(items)
            node.positions.save(at)
            positions = at
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
""")

# The chapter's at_most_once: a crash between positions and state spoils the window. Plausible: right when nothing
# goes wrong.
answers.plausible("at most once", of="state before positions", reason="which is right for no hour").diff("""
    +        node.positions.save(next_positions)
             node.state.save(window)
    -        node.positions.save(next_positions)
""")

# One cell for both, but the average is pushed before it. Plausible: right when nothing goes wrong.
answers.plausible("push before the save", reason="is in the output more than once").code("""
    def answer(node):
        saved = node.state.load()
        positions, window = saved if isinstance(saved, list) else (node.start, Window())
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            node.state.save([positions, window])
            if len(window) > node.threshold:
                node.database.increment()
""")

# Effects first: pushes are repeated.
answers.wrong("at least once", of="state before positions", reason="is in the output more than once").diff("""
    -        node.state.save(window)
    -        node.positions.save(next_positions)
    @@
                 node.database.increment()
    +        node.state.save(window)
    +        node.positions.save(next_positions)
""")

# One cell for both, but the increment comes before it.
answers.wrong("counter before the save", of="push before the save", reason="an increment is doubled").diff("""
    -        node.output.push(window.average())
    -        node.state.save([positions, window])
    @@
                 node.database.increment()
    +        node.state.save([positions, window])
    +        node.output.push(window.average())
""")

# Saves hour by hour and pushes all averages at the end, so that one crash loses several.
answers.wrong("effects at the end", reason="one crash may cost one item, no more").code("""
    def answer(node):
        saved = node.state.load()
        positions, window = saved if isinstance(saved, list) else (node.start, Window())
        waiting = []
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.state.save([positions, window])
            waiting.append((window.average(), len(window) > node.threshold))
        for average, counts in waiting:
            node.output.push(average)
            if counts:
                node.database.increment()
""")

# Asks the window for its average before anything is in it.
answers.wrong("fails by itself", reason="An empty window has no average").code("""
    def answer(node):
        node.output.push(node.state.load().average())
""")

# Asks node.running() without the positions, which no load has told the node, in a loop that takes no step.
answers.wrong("never ends", reason="had not come to an end").code("""
    def answer(node):
        while node.running():
            continue
""")

# Saves nothing: the second life begins at hour 1.
answers.wrong("saves nothing", reason="is in the output more than once").code("""
    def answer(node):
        positions, window = node.start, Window()
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
""")

# Leaves out the last hour, to be on the safe side.
answers.wrong("skips an hour always", reason="Even when nothing goes wrong").code("""
    def answer(node):
        saved = node.state.load()
        positions, window = saved if isinstance(saved, list) else (node.start, Window())
        while node.running(positions):
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.state.save([positions, window])
            if node.running(positions):
                node.output.push(window.average())
                if len(window) > node.threshold:
                    node.database.increment()
""")

# Saves the state first: the hour enters the window a second time.
answers.wrong("state before positions", reason="which is right for no hour").code("""
    def answer(node):
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.state.save(window)
            node.positions.save(next_positions)
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
            positions = next_positions
""")

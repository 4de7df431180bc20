"""Counter first, then the output; the three that belong together as a list."""

from exactly_once.pipeline import Window


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        if len(window) > node.threshold:
            accounts.cas("counter", count, count + 1)
            count += 1
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        node.state.save([positions, window, count])

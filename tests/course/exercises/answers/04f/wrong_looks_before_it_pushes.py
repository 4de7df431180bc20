# Plausible: right under every kind of fault but the last two.
"""Pushes only if the output is too short: right until a request arrives twice."""

from exactly_once.pipeline import Window

REASON = "One request that arrives twice: after this schedule the average of hour 1 is in the output twice"


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        if len(node.output.read()) < items[0].hour:
            node.output.push(window.average())
        if len(window) > node.threshold:
            accounts.cas("counter", count, count + 1)
            count += 1
        node.state.save([positions, window, count])

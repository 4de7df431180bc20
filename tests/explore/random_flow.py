"""Random handlers of all kinds of statements: loops, blocks, closures, objects, steps in expressions.

In each, most of what it holds is pushed in the end, so that two local states that were taken for one lose an outcome.
"""

import random

ITERABLES = (
    "range(2) | [1, 1] | (x, 2) | items | {'a': 1, 'b': 1} | enumerate([x, x]) | zip([1, 1], items) | "
    "box.held | reversed([1, 2]) | sorted({3, x}) | [n for n in (1, 1)]"
).split(" | ")
STEPS = """
x = node.choose([1, 2])
node.positions.load()
node.output.push(x)
up()
x = node.choose([1, 2]) + node.choose([0, 1])
x = helper(node, x)
box.bump(node)
items.append(x)
seen.add(x)
x = max([x, node.choose([1, 2])])
node.output.push([x, node.choose([0, 1])])
node.output.push(len(items) + len(seen) + count)
x = 1 if node.choose([True, False]) else 2
items = [*items, x]
box = Box(x)
x = box.held[0]
seen = {x, 1}
node.output.push(Box(x).told(node))
""".strip().split("\n")
BLOCKS = {  # the line before a body, and the lines after it, at which a second body may stand
    "for {} in {}:\n    n += 1\n    if n > 4:\n        break": ("", "else:\n    x = 3"),
    "while n < 3:\n    n += 1": ("",),
    "try:": (
        "except OutcomeUnknown:\n    x = 0",
        "except (ValueError, OutcomeUnknown):\n    x = 4",
        "finally:\n    x = 5",
    ),
    "with contextlib.suppress(ValueError):": ("",),
    "if x == 1:": ("", "else:\n    x = 6"),
    "if node.choose([True, False]):": ("", "else:\n    x = 7"),
}
BEFORE = """
import contextlib
class Box:
    def __init__(self, held):
        self.held = [held, held]
    def bump(self, node):
        self.held.append(node.choose([7, 8]))
        node.positions.load()
    def told(self, node):
        for one in self.held:
            node.positions.load()
        return one
def helper(node, x):
    for one in (x, x + 1):
        if node.choose([True, False]):
            return one
    return 0
def handler(node):
    x, n, count, items, seen, box = 1, 0, 0, [], set(), Box(1)
    def up():
        nonlocal count
        count += 1
        node.positions.load()
"""
AFTER = "\n    node.output.push([x, n, count, len(items), len(seen), len(box.held)])\n"


def source(seed):
    """Return the source of a handler."""
    draw = random.Random(seed)
    left = draw.randint(4, 9)  # steps

    def body(indent, depth, loop):
        nonlocal left
        lines = []
        for _ in range(draw.randint(1, 3) if left > 0 else 0):
            if depth < 3 and draw.random() < 0.5:
                begins = draw.choice(list(BLOCKS))
                within = loop or begins.startswith(("for", "while"))
                ends = draw.choice(BLOCKS[begins])
                lines += begins.format(draw.choice("vwx_"), draw.choice(ITERABLES)).split("\n")
                lines += body("    ", depth + 1, within and not ends.startswith("finally"))
                lines += ends.split("\n") if ends else []
            elif loop and draw.random() < 0.2:
                lines.append(draw.choice(["break", "continue", "if x == 2: break"]))
            else:
                left -= 1
                lines.append(draw.choice(STEPS))
        return [indent + line for line in [*lines, "pass"]]

    return BEFORE + "\n".join(body("    ", 0, False)) + AFTER

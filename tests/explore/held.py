"""Handlers of which something is held where no variable shows it: by a call, a traceback, another iterator."""

HELD = {
    "a_loop_without_end_over_a_count_that_is_shared": """
import itertools
def handler(node):
    c = itertools.count()
    for _ in c if node.choose([True, False]) else itertools.count():
        node.positions.load()
        if next(c) > 2:
            break
        node.output.push("x")
""",
    "a_generator_that_a_traceback_keeps": """
def guarded(node, word):
    try:
        yield 1
    finally:
        node.output.push(word)
def fails(node):
    steps = guarded(node, node.choose(["a", "b"]))
    next(steps)
    raise ValueError
def handler(node):
    try:
        fails(node)
    except ValueError:
        node.positions.load()
    node.output.push("end")
""",
    "a_block_that_is_dropped": """
import contextlib
@contextlib.contextmanager
def block(node, word):
    try:
        yield
    finally:
        node.output.push(word)
def handler(node):
    held = block(node, node.choose(["a", "b"]))
    held.__enter__()
    node.positions.load()
    held = None
    node.output.push("end")
""",
    "an_argument_of_an_unpacked_call": """
def guarded(node, word):
    try:
        yield 1
    finally:
        node.output.push(word)
def work(node, steps):
    next(steps)
    steps = None
    node.positions.load()
    node.output.push("in")
def handler(node):
    work(*[node, guarded(node, node.choose(["a", "b"]))])
    node.output.push("end")
""",
    "functions_that_are_wrapped_as_the_librarys": """
import functools
from exactly_once.handlers import at_least_once
count = [0]
@functools.wraps(at_least_once)
def change(node):
    count[0] += node.choose([0, 1])
@functools.wraps(at_least_once)
def push(node):
    node.output.push(count[0])
def handler(node):
    change(node)
    node.positions.load()
    push(node)
""",
}

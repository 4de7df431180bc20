"""Handlers of which something is held where no variable shows it, or which a copy with named loops might change."""

HELD = {
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
    "one_of_two_constants_on_the_stack": """
def handler(node):
    x = (1 if node.choose([True, False]) else 2) + node.choose([10, 20])
    node.output.push(x)
""",
    "named_a_variable_called_iter": """
def handler(node):
    for iter in range(2):
        node.output.push(iter)
""",
    "named_an_iterator_without_iter": """
class Steps:
    def __init__(self):
        self.left = 2
    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return self.left
class Many:
    def __iter__(self):
        return Steps()
def handler(node):
    for one in Many():
        node.output.push(one)
""",
    "named_two_loops_that_an_error_leaves": """
def guarded(node, word):
    try:
        yield 1
        yield 2
    finally:
        node.output.push(word)

def handler(node):
    try:
        for one in guarded(node, "outer"):
            for other in guarded(node, "inner"):
                raise ValueError
    except ValueError:
        pass
    node.output.push("end")
""",
    "named_a_loop_in_the_body_of_an_enumeration": """
import enum
def handler(node):
    class Stage(enum.Enum):
        ONE = 1
        for _ignore_ in ["a"]:
            pass
        for _ignore_ in ["b"]:
            pass
    node.output.push(len(Stage))
""",
    "held_by_an_iterator_during_else": """
def guarded(node, word):
    try:
        yield 1
        yield 2
    finally:
        node.output.push(word)

def handler(node):
    for one, other in zip([1], guarded(node, node.choose(["a", "b"]))):
        pass
    else:
        node.positions.load()
    node.output.push("end")
""",
    "cleared_the_body_of_a_class": """
def handler(node):
    class Box:
        one = node.choose([1, 2])
        two = node.positions.load()
        three = one
    node.output.push(Box.three)
""",
    "cleared_what_locals_gave": """
def handler(node):
    mine = locals()
    node.positions.load()
    node.output.push("node" in mine)
""",
    "called_a_global_that_takes_the_place_of_a_max": """
import functools
def work(node):
    global step
    step = work
    node.positions.load()
    node.output.push("x")
    return 0
step = functools.partial(max, key=work)
def handler(node):
    step([node, node, node])
""",
    "called_a_closure_and_found_its_twin": """
class Box:
    pass
def made(node, box, word):
    def step(other):
        box.step = other
        node.positions.load()
        node.output.push(word)
    return step
def handler(node):
    box = Box()
    a, b = made(node, box, "a"), made(node, box, "b")
    box.step = a if node.choose([True, False]) else b
    box.step(b)
""",
    "called_what_a_choice_gave": """
import functools
class Box:
    pass
def made(node):
    box = Box()
    box.push = functools.partial(list, map(node.output.push, [1, 1, 1]))
    return box
def handler(node):
    node.choose([made(node)]).push()
""",
    "called_an_init_that_lets_go_of_self": """
class Client:
    def __init__(self, node):
        self.word = node.choose(["a", "b"])
        self = None
        node.positions.load()
def handler(node):
    client = Client(node)
    node.output.push(client.word)
""",
    "a_global_set_by_a_function_that_is_gone": """
g = "a"
def to_b():
    global g
    g = "b"
    return ""
ops = [to_b, to_b]
def handler(node):
    if node.choose([True, False]):
        ops.pop()()
    x = g + (ops.pop()() or ops.clear() or node.choose(["1", "2"]))
    node.output.push(x)
""",
    "a_global_that_was_deleted_and_named_as_a_builtin": """
def remove():
    global max
    del max
    return ""
def handler(node):
    global max
    max = node.choose(["a", "b"])
    x = max + (remove() or node.choose(["1", "2"]))
    node.output.push(x)
""",
    "a_set_after_a_difference": """
def handler(node):
    found = {1, 2, 3, 4, 8, 0} - {0} if node.choose([True, False]) else {1, 2, 3, 4, 8}
    node.positions.load()
    found |= {0, 32, 64}
    node.output.push(list(found))
""",
}

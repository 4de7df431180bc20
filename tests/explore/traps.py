"""Handlers written to defeat the key of local states: what each does next hangs on something no variable shows.

Each is a piece of source, as a notebook would have it: by value, with globals of its own. Each leaves in its output
how often it did something, so that two local states that were taken for one would lose an outcome.
"""

import linecache

HEAD = """
from exactly_once.errors import OutcomeUnknown
"""
TRAPS = {
    "identity_by_a_condition": """
def handler(node):
    one = ("k", node.registers.read("x")[1])
    other = one if node.choose([0, 1]) else (one[0], one[1])
    node.crash_point("A")
    length = len(one)
    if one is (other if length else None):
        node.output.push("same")
""",
    "for_loop_over_equal_items": """
def handler(node):
    for item in [1, 1, 1]:
        node.output.push(item)
    node.positions.save(node.positions.load())
""",
    "for_loop_with_attempts": """
def handler(node):
    done = False
    for attempt in range(3):
        try:
            if not done:
                node.output.push(7)
                done = True
        except OutcomeUnknown:
            pass
    node.state.save(done)
""",
    "generator": """
def counting(node):
    yield node.output.push(1)
    yield node.output.push(1)
    yield node.output.push(2)
def handler(node):
    steps = counting(node)
    next(steps)
    node.positions.load()
    next(steps)
    node.positions.load()
    next(steps)
""",
    "context_manager": """
import contextlib
@contextlib.contextmanager
def twice(node, word):
    node.output.push(0)
    yield
    node.output.push(word)
def handler(node):
    word = node.choose(["a", "b"])
    with twice(node, word):
        word = None
        node.positions.load()
""",
    "closure": """
def handler(node):
    count = 0
    def push():
        nonlocal count
        count += 1
        node.output.push("x")
        return count
    while push() < 3:
        pass
    node.state.save(count)
""",
    "a_global": """
count = 0
def push(node):
    global count
    count += 1
    node.positions.load()
def handler(node):
    push(node)
    if node.choose([True, False]):
        push(node)
    node.positions.load()
    node.output.push(count)
""",
    "default_argument": """
def push(node, seen=[]):
    seen.append(1)
    node.positions.load()
    return None
def handler(node):
    push(node)
    if node.choose([True, False]):
        push(node)
    node.positions.load()
    node.output.push(len(push.__defaults__[0]))
""",
    "mutated_attribute": """
class Box:
    value = 0
def handler(node):
    box = Box()
    box.value = node.choose([1, 2])
    node.positions.load()
    node.output.push(box.value)
""",
    "attribute_of_the_node": """
def handler(node):
    node.mine = node.choose([1, 2])
    node.positions.load()
    node.output.push(node.mine)
""",
    "cache": """
known = {}
def choice(node):
    if "choice" not in known:
        known["choice"] = node.choose([1, 2])
    return known["choice"]
def handler(node):
    choice(node)
    node.positions.load()
    node.output.push(choice(node))
""",
    "recursion": """
def down(node, depth):
    if depth == 0:
        return node.output.push("bottom")
    node.positions.load()
    down(node, depth - 1)
    node.output.push("up")
def handler(node):
    down(node, node.choose([1, 2]))
""",
    "nested_functions": """
def handler(node):
    def twice(step):
        step()
        step()
    def push():
        node.output.push("p")
    def load():
        node.positions.load()
    twice(lambda: twice(push if node.choose([True, False]) else load))
""",
    "evaluation_stack": """
def handler(node):
    node.output.push([node.choose([1, 2]), node.positions.load() and 0, node.choose([3, 4])])
""",
    "shared_or_equal": """
def handler(node):
    one = []
    other = one if node.choose([True, False]) else []
    node.positions.load()
    one.append(1)
    node.output.push(len(other))
""",
    "an_exception_that_is_handled": """
def handler(node):
    try:
        raise ValueError(node.choose(["a", "b"]))
    except ValueError as why:
        node.positions.load()
        told = str(why)
    node.output.push(told)
""",
    "true_and_one": """
def handler(node):
    flag = node.choose([True, 1, 1.0])
    node.positions.load()
    node.output.push(flag)
""",
    "order_of_a_dictionary": """
def handler(node):
    found = {"a": 1, "b": 1} if node.choose([True, False]) else {"b": 1, "a": 1}
    node.positions.load()
    node.output.push(list(found))
""",
    "order_of_a_set": """
def handler(node):
    found = {8, 0} if node.choose([True, False]) else {0, 8}
    node.positions.load()
    node.output.push(list(found))
""",
    "an_iterator": """
def handler(node):
    items = iter([1, 2, 3, 4])
    if node.choose([True, False]):
        next(items)
    node.positions.load()
    node.output.push(next(items))
""",
    "a_bound_method": """
def handler(node):
    take = [1, 2, 3].pop
    if node.choose([True, False]):
        take()
    node.positions.load()
    node.output.push(take())
""",
    "a_function_with_a_default": """
def handler(node):
    told = node.choose([1, 2])
    def push(value=told):
        node.output.push(value)
    told = None
    node.positions.load()
    push()
""",
    "a_lambda_on_the_same_line": """
def handler(node):
    pushes = [lambda: node.output.push(1), lambda: node.output.push(2)]
    push = pushes[node.choose([0, 1])]
    pushes = None
    node.positions.load()
    push()
""",
    "an_attribute_of_a_function": """
def push(node):
    node.output.push(push.told)
def handler(node):
    push.told = node.choose([1, 2])
    node.positions.load()
    push(node)
""",
    "a_module_that_keeps_something": """
import sys
def handler(node):
    sys.explored_by_a_test = node.choose([1, 2])
    told = sys
    node.positions.load()
    node.output.push(1)
""",
    "retry_inside_except": """
def handler(node):
    try:
        node.output.push("first")
    except OutcomeUnknown:
        node.output.push("again")
    try:
        node.database.increment()
    except OutcomeUnknown as why:
        last = str(why)
    node.positions.save(node.positions.load())
""",
    "local_class": """
def handler(node):
    class Box:
        held = node.choose([1, 2])
    node.positions.load()
    node.output.push(Box.held)
""",
    "comprehension": """
def handler(node):
    node.state.save([node.choose([n, n + 1]) for n in (1, 1)])
    node.output.push(sum(n for n in [1, 2]))
""",
    "name_of_the_class_in_a_tuple": """
from collections import namedtuple
One, Two = namedtuple("One", "a"), namedtuple("Two", "a")
def handler(node):
    kind = One(1) if node.choose([True, False]) else Two(1)
    node.positions.load()
    node.output.push(type(kind).__name__)
""",
    "the_client_of_a_holder_is_another_one_by_now": """
from dataclasses import dataclass
@dataclass
class Client:
    ask: object
class Holder:
    pass
def make(k):
    def inner(node, h):
        h.client = Client(make(0))
        h = None
        node.positions.load()
        node.output.push(k)
    return inner
def handler(node):
    h = Holder()
    h.client = Client(make(node.choose([1, 2, 3])))
    h.client.ask(node, h)
""",
    "the_client_in_a_shared_variable_is_another_one_by_now": """
from dataclasses import dataclass
@dataclass
class Client:
    ask: object
def make(k):
    def inner(node, put):
        put(Client(make(0)))
        put = None
        node.positions.load()
        node.output.push(k)
    return inner
def handler(node):
    c = None
    def put(new):
        nonlocal c
        c = new
    put(Client(make(node.choose([1, 2, 3]))))
    c.ask(node, put)
""",
    "a_dataclass_that_is_initialized_again": """
from dataclasses import dataclass
@dataclass
class Client:
    ask: object
def make(k):
    def inner(node, c):
        c.__init__(make(0))
        c = None
        node.positions.load()
        node.output.push(k)
    return inner
def handler(node):
    c = Client(make(node.choose([1, 2, 3])))
    c.ask(node, c)
""",
    "a_parameter_that_one_line_writes_often": """
def make(k):
    def inner(node, put, zero):
        put(zero)
        put = zero = None
        node.positions.load()
        node.output.push(k)
    return inner
def handler(node, f=None):
    def put(new):
        nonlocal f
        f = new
    put(make(node.choose([1, 2, 3])))
    f(node, put, make(0))
""",
    "a_variable_of_the_name_of_a_class": """
def handler(node):
    n = node.choose([1, 2])
    a = "".join(["a", "b"])
    __class__ = a if n == 1 else "".join(["a", "b"])
    n = None
    node.positions.load()
    node.output.push(1 if a is __class__ else 2)
""",
    "defaults_of_fields_that_are_none": """
class C:
    pass
def handler(node):
    C._field_defaults = node.choose([1, 2])
    node.positions.load()
    node.output.push(C._field_defaults)
""",
    "attributes_behind_a_property": """
class C:
    @property
    def __dict__(self): return {}
def handler(node):
    c = C()
    c.n = node.choose([1, 2])
    node.positions.load()
    node.output.push(c.n)
""",
    "a_list_of_the_library": """
from exactly_once.log.reading import Fetched
def handler(node):
    found = Fetched([node.choose([1, 2])])
    node.positions.load()
    node.output.push(list(found))
""",
    "a_reading_of_hour_true": """
from fractions import Fraction
from exactly_once.pipeline import Reading
def handler(node):
    n = node.choose([1, 2])
    r = Reading(1, "a", Fraction(1)) if n == 1 else Reading(True, "a", Fraction(1))
    n = None
    node.positions.load()
    node.output.push(str(r))
""",
    "an_iterator_that_is_asked_once": """
class Drain:
    def __init__(self, items): self.items = items
    def __iter__(self):
        self.now, self.items = self.items, []
        return self
    def __next__(self):
        if not self.now: raise StopIteration
        return self.now.pop(0)
def handler(node):
    for item in Drain([1, 2]):
        node.output.push(item)
""",
    "a_callback_of_the_librarys": """
def pick(node, place):
    if place: node.positions.load()
    return "x" if place else node.choose(["x", "y"])
def handler(node):
    node.output.push(node.choose(map(pick, [node, node], [0, 1])))
""",
    "a_client_that_is_made_anew": """
from dataclasses import dataclass
@dataclass
class Client:
    ask: object
def make():
    x = 0
    def inner(node, client, other, put):
        client.__init__(other)
        client = other = None
        node.positions.load()
        put(5)
        node.output.push(x)
    def put(value):
        nonlocal x
        x = value
    return inner, put
def handler(node):
    one, two = make(), make()
    client = Client(two[0] if node.choose([0, 1]) else one[0])
    client.ask(node, client, two[0], two[1])
""",
    "the_steps_that_a_reader_knows": """
def handler(node):
    if node.choose([0, 1]): node.crash_point("A")
    node.crash_point("B")
    node.output.push(node._reader.life.steps)
""",
    "a_function_that_is_written_over": """
import functools
class Box: pass
BOX, OTHER = Box(), Box()
def step(node):
    functools.update_wrapper(BOX, OTHER, ("run",), ())
    node.output.push(1)
    return 0
BOX.run, OTHER.run = functools.partial(max, key=step), step
def handler(node):
    BOX.run([node, node, node])
""",
    "a_handler_that_was_called_by_itself": """
calls = []
def handler(node, inner=False):
    x = 1
    def f(): return x
    if inner: return f
    other = calls.pop()(node, True)
    g = f if node.choose([True, False]) else other
    f = other = None
    node.crash_point("A")
    x = 2
    node.output.push(g())
calls.append(handler)
""",
    "a_method_that_its_client_was_given": """
import collections, functools
A = collections.namedtuple("A", "step")
class Box: pass
class B:
    def __init__(self, node, box): self.node, self.box = node, box
    def step(self, x=0):
        self.box.at = self
        self.node.output.push(1)
        return 0
def handler(node):
    box = Box()
    box.at = A(functools.partial(max, [0, 0, 0], key=B(node, box).step))
    box.at.step()
""",
}
MARKED = """
{before}
def handler(node):
    mark = node.choose([0, 1])
    {hide}
    mark = None
    node.positions.load()
    node.output.push(bool({differs}))
"""
MARKS = {  # name: (what is there before, where the mark goes, what tells it)
    "a_key_that_changed": (
        "from dataclasses import dataclass\n@dataclass(unsafe_hash=True)\nclass Order:\n    status: str",
        "o = Order('new' if mark else 'done'); seen = {o: True}; o.status = 'done'",
        "Order('done') in seen",
    ),
    "a_field_under_another_name": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n    b: int",
        "P.c = P.b if mark else P.a",
        "P(0, 1).c",
    ),
    "metadata_of_a_field": (
        "from dataclasses import dataclass, field, fields\n@dataclass\nclass C:\n"
        "    x: int = field(default=0, metadata={'seen': []})",
        "fields(C)[0].metadata['seen'].extend([1] * mark)",
        "fields(C)[0].metadata['seen']",
    ),
    "a_class_that_is_frozen": (
        "from dataclasses import dataclass, FrozenInstanceError\nclass B:\n    x: int = 0\ndef tried(c):\n"
        "    try: c.x = 2\n    except FrozenInstanceError: return True",
        "c = dataclass(B, eq=False, frozen=bool(mark))(1)",
        "tried(c)",
    ),
    "an_annotation": (
        "from typing import get_type_hints",
        "kind = str if mark else int\n    def g(x: kind): pass\n    kind = None",
        "get_type_hints(g)['x'] is str",
    ),
    "attributes_in_a_class": ("", "C = type('C', (), {'__dict__': {}}); c = C(); c.n = mark", "c.n"),
    "an_attribute_of_a_static_method": (
        "def f(): pass\ns = staticmethod(f)",
        "if mark: s.a = 1\n    else: s.b = 1",
        "hasattr(s, 'a')",
    ),
    "a_method_that_takes_out_of_a_set": (
        "seen = set(); forget, add = seen.discard, seen.add",
        "add(0) if mark else None; add(8); forget(0)",
        "[add(1), add(9), add(17), list(seen)][3][0] == 1",
    ),
    "a_function_that_is_gone": (
        "def g(x): return x\ndef swap():\n    global g\n    def g(x): return x + 10\nswaps = [swap]",
        "swaps.pop()() if mark else swaps.clear()",
        "g(node.positions.load() and 1 or 1) == 11",
    ),
}
TRAPS |= {name: MARKED.format(before=one, hide=two, differs=three) for name, (one, two, three) in MARKS.items()}

RENEWS = """
def handler(node):
    registers, store = node.registers, node.store("s")
    if node.number == 1:
        while True:
            version, held = registers.read("lease")
            if held == "stop":
                return
            registers.cas("lease", version, "mine")
    hidden = {hides}  # what no key can hold, if anything
    version, _ = registers.read("lease")
    node.crash_point("A")
    if {used}:
        node.output.push("bad")
    while not registers.cas_value("lease", "mine", "stop") and not registers.cas_value("lease", None, "stop"):
        pass
class Box:
    pass
def boxed(version):
    box = Box()
    box.held = lambda: [version]
    return box
"""
USES = {  # of a version, while the first node makes it grow for ever
    "version_token": "store.write('token', version) or store.read('token')[1] == 2",
    "version_far": "version > 20",
    "version_parity": "version % 2 == 0 and version",
    "version_distance": "registers.read('lease')[0] - version > 5",
    "version_is": "version == 3",
    "version_of_a_kind": "type(version) == int and version % 2 == 0 and version",
    "version_in_a_text": "f'{version}' == '3'",
    "version_in_a_dictionary": "{version: 1}.get(3)",
    "version_as_a_length": "len(range(version)) == 3",
    "version_in_a_box": "boxed(version).held() == [3]",
    "version_that_is_sent": "node.send(2, version) or node.receive(2)[1] == 3",
    "version_in_a_name": "registers.cas(f'after {version}', 0, 1) and registers.read('after 3')[0]",
    "version_that_is_expected": "registers.cas('lease', 3, 'mine')",
    "version_two_behind": "registers.read('lease')[0] == version + 2",
    "version_to_come": "registers.cas('lease', version + 9, 'mine')",
    "version_as_the_key_of_a_counter": "node.database.increment(version) or node.database.total('counter.3')",
}
FALSE_PROOFS = {
    name: RENEWS.format(hides=None, used=used) for name, used in USES.items()
}  # each handler can push "bad"


def trap(name):
    """Return the handler of a trap."""
    return written(name, TRAPS[name])


def written(name, source):
    """Return the handler in a piece of source."""
    made, file = {"__name__": f"a_notebook_{name}"}, f"<{name}>"
    linecache.cache[file] = len(HEAD + source), None, (HEAD + source).splitlines(keepends=True), file
    exec(compile(HEAD + source, file, "exec"), made)
    return made["handler"]

"""More handlers written to defeat the key of local states: places in loops, blocks, generators and a learner's
objects.

Each is a piece of source, as in `traps`. In each, lives that are told apart by something that is easily overlooked
ask for the same step with the same variables.
"""

PLACES = {
    "for_over_a_range_with_a_retry": """
def handler(node):
    for n in range(3):
        try:
            node.output.push("x")
        except OutcomeUnknown:
            continue
    else:
        node.output.push("all")
""",
    "for_else_and_break": """
def handler(node):
    for n in (1, 1, 1):
        if node.choose([True, False]):
            break
        node.output.push(n)
    else:
        node.output.push("else")
    node.output.push("end")
""",
    "nested_loops": """
def handler(node):
    for row in [[1, 1], [1], []]:
        for one in row:
            node.positions.load()
        node.output.push(len(row))
""",
    "a_list_that_grows_while_it_is_iterated": """
def handler(node):
    waiting = [0]
    for one in waiting:
        if node.choose([True, False]) and len(waiting) < 3:
            waiting.append(0)
        node.output.push("seen")
""",
    "a_list_that_shrinks_while_it_is_iterated": """
def handler(node):
    waiting = [1, 1, 1, 1]
    for one in waiting:
        waiting.remove(1)
        node.output.push(len(waiting))
""",
    "another_list_of_equal_items": """
def handler(node):
    one = [1, 1]
    other = one if node.choose([True, False]) else [1, 1]
    for item in other:
        node.positions.load()
        if len(one) < 3:
            one.append(1)
        node.output.push(item)
""",
    "a_dictionary_that_changes_its_values": """
def handler(node):
    counts = {"a": 0, "b": 0}
    for name, count in counts.items():
        counts["b"] += node.choose([0, 1])
        node.positions.load()
        node.output.push([name, count])
""",
    "a_dictionary_whose_keys_come_back": """
def handler(node):
    counts = {"a": 1, "b": 1, "c": 1}
    try:
        for name in counts:
            node.positions.load()
            if node.choose([True, False]):
                counts[name] = counts.pop(name)
            node.output.push("seen")
    except RuntimeError:
        node.output.push("changed")
""",
    "views_of_a_dictionary": """
def handler(node):
    counts = {"a": 1, "b": 1}
    seen = [counts.keys(), counts.values(), counts.items()][node.choose([0, 1, 2])]
    counts = None
    node.positions.load()
    node.output.push([str(one) for one in seen])
""",
    "enumerate_zip_and_reversed": """
def handler(node):
    for number, one in enumerate([5, 5]):
        node.positions.load()
        node.output.push(number)
    for one, other in zip([1, 1], [1, 1, 1]):
        node.positions.load()
    for one in reversed([2, 2]):
        node.output.push(one)
""",
    "itertools_of_every_kind": """
import itertools
def handler(node):
    kind = node.choose([0, 1, 2, 3, 4, 5, 6])
    items = [
        itertools.count(), itertools.cycle([0, 0]), itertools.repeat(0, 3), itertools.chain([0], [0, 0]),
        itertools.islice(itertools.count(), 3), itertools.product([0], [0, 1]), itertools.accumulate([0, 0, 0]),
    ][kind]
    for number, one in enumerate(items):
        if number > 2:
            break
        node.positions.load()
    node.output.push(str(next(items, "over")))
""",
    "map_over_a_step": """
def handler(node):
    for one in map(lambda n: node.choose([n, n + 1]), [1, 1]):
        node.output.push(one)
""",
    "a_list_made_by_a_map": """
def handler(node):
    found = list(map(lambda n: node.choose([n, n + 1]), [1, 1, 1]))
    node.output.push(found)
""",
    "pushes_by_a_map": """
def handler(node):
    found = list(map(node.output.push, [1, 1, 1]))
""",
    "sorted_by_a_step": """
def handler(node):
    found = sorted([1, 2, 3], key=lambda n: node.choose([0, 1]))
    node.output.push(found)
""",
    "the_sum_of_a_generator": """
def handler(node):
    found = sum(node.choose([1, 2]) for _ in range(2))
    node.output.push(found)
""",
    "a_zip_of_two_generators": """
def one(node):
    while True:
        yield node.choose([1, 2])
def handler(node):
    for a, b in zip(one(node), one(node)):
        node.output.push([a, b])
        break
""",
    "a_comprehension_over_steps": """
def handler(node):
    found = [node.choose([1, 2]) for _ in range(2) if node.positions.load()]
    kept = {n: node.choose([1, 2]) for n in (1,)}
    node.output.push([found, list(kept.values())])
""",
    "a_generator_that_takes_steps": """
def numbers(node):
    for _ in range(3):
        yield node.choose([0, 1])
def handler(node):
    seen = 0
    for n in numbers(node):
        seen = n
        node.positions.load()
    node.output.push(seen)
""",
    "two_generators_of_one_function": """
def steps(node, word):
    for n in range(2):
        yield n
        node.output.push(word)
def handler(node):
    one, other = steps(node, "a"), steps(node, "b")
    first = one if node.choose([True, False]) else other
    next(first)
    node.positions.load()
    next(one, None)
    node.positions.load()
    next(other, None)
""",
    "the_same_generator_twice": """
def steps(node):
    yield 1
    yield 2
def handler(node):
    one = steps(node)
    other = one if node.choose([True, False]) else steps(node)
    node.positions.load()
    next(one)
    node.output.push(next(other))
""",
    "next_with_a_default": """
def steps(node):
    node.positions.load()
    return
    yield
def handler(node):
    told = next(steps(node), node.choose(["a", "b"]))
    node.output.push(told)
""",
    "send_into_a_generator": """
def sums(node):
    total = 0
    while True:
        given = yield total
        node.positions.load()
        total += given
def handler(node):
    adder = sums(node)
    next(adder)
    adder.send(node.choose([1, 2]))
    node.output.push(adder.send(1))
""",
    "yield_from": """
def inner(node):
    given = yield 1
    node.output.push("inner")
    return node.choose([1, 2])
def outer(node):
    found = yield from inner(node)
    node.positions.load()
    yield found
def handler(node):
    for found in outer(node):
        node.output.push(found)
""",
    "a_generator_that_tidies_up": """
def guarded(node):
    try:
        yield 1
        yield 2
    finally:
        node.output.push("tidy")
def handler(node):
    for one in guarded(node):
        node.positions.load()
        if node.choose([True, False]):
            break
    node.output.push("end")
""",
    "a_bare_raise": """
def handler(node):
    try:
        try:
            raise ValueError(node.choose(["a", "b"]))
        except ValueError:
            node.positions.load()
            raise
    except ValueError as why:
        told = str(why)
    node.output.push(told)
""",
    "an_exception_handled_outside_of_a_generator": """
def numbers(node):
    try:
        raise KeyError
    except KeyError:
        node.positions.load()
        yield 1
def handler(node):
    try:
        try:
            raise ValueError(node.choose(["a", "b"]))
        except ValueError:
            for one in numbers(node):
                node.positions.load()
            raise
    except ValueError as why:
        node.output.push(str(why))
""",
    "finally_after_a_return": """
def found(node):
    try:
        return node.choose([1, 2])
    finally:
        node.positions.load()
def handler(node):
    for _ in range(2):
        node.output.push(found(node))
""",
    "a_retry_in_a_loop_within_an_except": """
def handler(node):
    try:
        node.output.push("first")
    except OutcomeUnknown:
        for attempt in range(2):
            try:
                node.output.push("again")
                break
            except OutcomeUnknown:
                pass
    node.positions.save(node.positions.load())
""",
    "a_context_manager_of_its_own": """
class Noted:
    def __init__(self, node, word):
        self.node, self.word = node, word
    def __enter__(self):
        self.node.positions.load()
        return self
    def __exit__(self, *why):
        self.node.output.push(self.word)
def handler(node):
    with Noted(node, node.choose(["a", "b"])):
        node.positions.load()
""",
    "an_exit_stack": """
import contextlib
def handler(node):
    with contextlib.ExitStack() as stack:
        stack.callback(node.output.push, node.choose(["a", "b"]))
        node.positions.load()
""",
    "suppress": """
import contextlib
def handler(node):
    kind = [ValueError, KeyError][node.choose([0, 1])]
    told = "nothing"
    try:
        with contextlib.suppress(kind):
            kind = None
            node.positions.load()
            raise KeyError
        told = "suppressed"
    except KeyError:
        told = "raised"
    node.output.push(told)
""",
    "an_object_with_attributes": """
class Worker:
    def __init__(self, node):
        self.node = node
        self.seen = node.choose([1, 2])
        self._count = 0
    def work(self):
        self._count += self.seen
        self.node.positions.load()
        return self._count
def handler(node):
    worker = Worker(node)
    for _ in range(2):
        worker.work()
    node.output.push(worker._count)
""",
    "objects_that_share": """
class Box:
    def __init__(self, held):
        self.held = held
def handler(node):
    one = Box([])
    other = Box(one.held if node.choose([True, False]) else [])
    node.positions.load()
    one.held.append(1)
    node.output.push(len(other.held))
""",
    "one_object_or_two_equal_ones": """
class Box:
    def __init__(self):
        self.count = 0
def handler(node):
    one = Box()
    other = one if node.choose([True, False]) else Box()
    node.positions.load()
    one.count += 1
    node.output.push(other.count)
""",
    "an_attribute_of_a_class": """
class Box:
    count = 0
def handler(node):
    box = Box()
    Box.count = node.choose([1, 2])
    node.positions.load()
    node.output.push(box.count)
""",
    "two_classes_alike": """
class One:
    word = "one"
class Two:
    word = "two"
def handler(node):
    box = (One if node.choose([True, False]) else Two)()
    node.positions.load()
    node.output.push(box.word)
""",
    "a_method_put_in_at_run_time": """
class Box:
    def word(self):
        return "one"
def handler(node):
    if node.choose([True, False]):
        Box.word = lambda self: "two"
    node.positions.load()
    node.output.push(Box().word())
""",
    "slots": """
class Box:
    __slots__ = ("held",)
def handler(node):
    box = Box()
    if node.choose([True, False]):
        box.held = 1
    node.positions.load()
    node.output.push(hasattr(box, "held"))
""",
    "a_dataclass": """
import dataclasses
@dataclasses.dataclass
class Box:
    held: int = 0
    more: list = dataclasses.field(default_factory=list)
def handler(node):
    box = Box(node.choose([1, 2]))
    node.positions.load()
    box.more.append(box.held)
    node.output.push([box.held, len(box.more), box == Box(1, [1])])
""",
    "a_named_tuple": """
from typing import NamedTuple
class Box(NamedTuple):
    held: int
def handler(node):
    box = Box(node.choose([1, 2]))
    for one in box:
        node.positions.load()
    node.output.push(box.held)
""",
    "an_iterator_of_its_own": """
class Count:
    def __init__(self, node):
        self.node, self.at = node, 0
    def __iter__(self):
        return self
    def __next__(self):
        self.at += self.node.choose([1, 2])
        if self.at > 3:
            raise StopIteration
        return self.at
def handler(node):
    for one in Count(node):
        node.output.push("x")
""",
    "a_list_of_ones_own_kind": """
class Held(list):
    pass
def handler(node):
    held = Held([1])
    held.word = node.choose(["a", "b"])
    for one in held:
        node.positions.load()
        if len(held) < 3:
            held.append(1)
    node.output.push([held.word, len(held)])
""",
    "super_reads_a_variable_that_no_code_names": """
class Told:
    def __init__(self, word):
        self.word = word
    def told(self):
        return self.word
class Louder(Told):
    def push(self, node):
        node.positions.load()
        node.output.push(super().told())
def handler(node):
    Louder(node.choose(["a", "b"])).push(node)
""",
    "an_object_that_can_be_called": """
class Push:
    def __init__(self, node):
        self.node, self.times = node, 0
    def __call__(self, value):
        self.times += 1
        self.node.output.push(value)
def handler(node):
    push = Push(node)
    for _ in range(2):
        push(1)
    node.output.push(push.times)
""",
    "a_property_that_takes_a_step": """
class Box:
    def __init__(self, node):
        self.node = node
    @property
    def held(self):
        return self.node.choose([1, 2])
def handler(node):
    box = Box(node)
    node.output.push([box.held + box.held, box.held])
""",
    "a_finalizer": """
class Box:
    told = []
    def __init__(self, word):
        self.word = word
    def __del__(self):
        Box.told.append(self.word)
def handler(node):
    box = Box(node.choose(["a", "b"]))
    node.positions.load()
    box = None
    node.positions.load()
    node.output.push(list(Box.told))
""",
    "an_error_of_its_own": """
class Refused(Exception):
    def __init__(self, word):
        super().__init__("refused")
        self.word = word
def handler(node):
    try:
        raise Refused(node.choose(["a", "b"]))
    except Refused as why:
        node.positions.load()
        node.output.push(why.word)
""",
    "a_counter_that_two_functions_share": """
def handler(node):
    count = 0
    def up():
        nonlocal count
        count += 1
        node.positions.load()
    def told():
        node.output.push(count)
    up()
    if node.choose([True, False]):
        up()
    told()
""",
    "functions_that_keep_apart": """
def counter(node):
    count = 0
    def up():
        nonlocal count
        count += 1
        node.positions.load()
        return count
    return up
def handler(node):
    one = counter(node)
    other = one if node.choose([True, False]) else counter(node)
    one()
    node.output.push(other())
""",
    "a_variable_bound_after_functions_of_an_earlier_call_share_it": """
def keeps(node, kept, value):
    shared = value
    node.output.push([told() for told in kept])
    kept.append(lambda: shared)
    shared += 1
def handler(node):
    kept = []
    keeps(node, kept, node.choose([1, 5]))
    keeps(node, kept, node.choose([1, 5]))
""",
    "a_variable_bound_after_the_functions_of_others": """
def moves(node, amount):
    def pushed(value):
        node.output.push(value())
        return value()
    taken = pushed(lambda: amount)
    pushed(lambda: taken - 1)
def handler(node):
    moves(node, node.choose([1, 5]))
""",
    "a_partial_function": """
import functools
def push(node, word):
    node.output.push(word)
def handler(node):
    told = functools.partial(push, node, node.choose(["a", "b"]))
    node.positions.load()
    told()
""",
    "a_cached_function": """
import functools
@functools.lru_cache
def known(key):
    return [key]
def handler(node):
    known("a").append(node.choose([1, 2]))
    node.positions.load()
    node.output.push(known("a"))
""",
    "a_recursive_walk": """
def walk(node, tree):
    for one in tree:
        if isinstance(one, list):
            walk(node, one)
        else:
            node.output.push("leaf")
def handler(node):
    walk(node, [1, [1, [1]], []] if node.choose([True, False]) else [[1, 1], 1])
""",
    "a_loop_in_a_class_that_waits": """
class Waiter:
    def __init__(self, node):
        self.node = node
    def wait(self):
        for _ in range(2):
            if self.node.registers.read("go")[0]:
                return True
        return False
def handler(node):
    node.registers.cas("go", node.choose([0, 1]), 1)
    node.output.push(Waiter(node).wait())
""",
    "a_format_that_looks_behind": """
def handler(node):
    node.positions.load()
    if node.choose([True, False]):
        node.positions.load()
    node.output.push("{0._life.steps}".format(node))
""",
    "a_set_that_shrinks": """
def handler(node):
    left = {1, 2, 3}
    for _ in range(2):
        left.discard(node.choose([1, 2]))
        node.positions.load()
    left.add(1)
    node.output.push([left.pop(), *left])
""",
    "a_set_in_a_loop": """
def handler(node):
    left = {8, 0}
    if node.choose([True, False]):
        left.discard(0)
        left.add(0)
    for one in left:
        node.output.push(one)
""",
    "a_match": """
def handler(node):
    for one in [[1, 1], {"a": 1}, 1, 1]:
        match one:
            case [a, b]:
                node.output.push("list")
            case {"a": a}:
                node.output.push("dict")
            case _:
                node.output.push("one")
""",
    "a_deque_that_turns": """
import collections
def handler(node):
    turns = collections.deque([1, 2])
    for _ in range(3):
        turns.rotate(node.choose([0, 1]))
        node.positions.load()
    node.output.push(list(turns))
""",
    "a_default_dictionary": """
import collections
def handler(node):
    found = collections.defaultdict(list if node.choose([True, False]) else int)
    node.positions.load()
    node.output.push(str(found["a"]))
""",
    "a_variable_that_comes_too_late": """
def handler(node):
    if node.choose([True, False]):
        word = 1
    node.positions.load()
    try:
        node.output.push(word)
    except UnboundLocalError:
        node.output.push("unbound")
""",
    "a_variable_that_only_the_except_reads": """
def handler(node):
    word = node.choose(["a", "b"])
    try:
        node.positions.load()
        word = "c"
        node.output.push(word)
    except OutcomeUnknown:
        node.output.push(word)
    node.output.push("end")
""",
}

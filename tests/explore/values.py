"""Handlers like those in `places`: differences between equal values, or counts, distinguish their incarnations.

Equal values may differ in sign, in identity, or in an error's attributes beside its arguments; and modules, loggers
and enumerations may keep state.
"""

VALUES = {
    "the_same_nan_or_another": """
def handler(node):
    nan = float("nan")
    items = [nan]
    if node.choose([True, False]):
        nan = float("nan")
    node.positions.load()
    node.output.push(nan in items)
""",
    "the_nan_of_math_or_another": """
import math
def handler(node):
    nan = math.nan if node.choose([True, False]) else float("nan")
    node.positions.load()
    node.output.push((nan,) == (math.nan,))
""",
    "the_same_nan_within_tuples": """
def handler(node):
    one, other = float("nan"), float("nan")
    pair = (one, one) if node.choose([True, False]) else (one, other)
    node.positions.load()
    node.output.push(pair[:1] == pair[1:])
""",
    "the_sign_of_a_nan": """
import math
def handler(node):
    nan = float("nan") * node.choose([1, -1])
    nan = math.copysign(float("nan"), node.choose([1, -1]))
    node.positions.load()
    node.output.push(math.copysign(1, nan) < 0)
""",
    "the_sign_of_a_zero": """
import math
def handler(node):
    zero = node.choose([0.0, -0.0])
    node.positions.load()
    node.output.push(math.copysign(1, zero) < 0)
""",
    "a_deque_that_changes_while_it_is_iterated": """
from collections import deque
def handler(node):
    waiting = deque([1, 1, 1])
    try:
        for one in waiting:
            if node.choose([True, False]):
                waiting.append(1)
                waiting.pop()
            node.output.push("seen")
    except RuntimeError:
        node.output.push("changed")
""",
    "a_deque_that_turns_while_it_is_iterated_backward": """
from collections import deque
def handler(node):
    waiting = deque([1, 1])
    seen = zip(reversed(waiting), "ab")
    if node.choose([True, False]):
        waiting.rotate(1)
    node.positions.load()
    try:
        node.output.push(len(list(seen)))
    except RuntimeError:
        node.output.push("changed")
""",
    "what_a_match_knows_of_an_error": """
def handler(node):
    try:
        if node.choose([True, False]):
            raise ValueError
        raise ValueError
    except ValueError as error:
        node.positions.load()
        match error:
            case ValueError(__traceback__=found):
                node.output.push(found.tb_lineno)
""",
    "what_a_bound_format_knows_of_an_error": """
said = "{0.__traceback__.tb_lineno}".format
def handler(node):
    try:
        if node.choose([True, False]):
            raise ValueError
        raise ValueError
    except ValueError as error:
        node.positions.load()
        node.output.push(said(error))
""",
    "what_format_knows_of_an_error": """
said = str.format
def handler(node):
    try:
        if node.choose([True, False]):
            raise ValueError
        raise ValueError
    except ValueError as error:
        node.positions.load()
        node.output.push(said("{0.__traceback__.tb_lineno}", error))
""",
    "what_a_block_is_told_of_an_error": """
class Tells:
    def __init__(self, node):
        self.node = node
    def __enter__(self):
        return self
    def __exit__(self, kind, error, found):
        if kind is not ValueError:
            return False
        while found.tb_next:
            found = found.tb_next
        self.node.output.push(found.tb_lineno)
        return True
def handler(node):
    with Tells(node):
        try:
            if node.choose([True, False]):
                raise ValueError
            raise ValueError
        except ValueError:
            node.positions.load()
            raise
""",
    "an_attribute_that_counts_and_is_read_late": """
class Client:
    tries = 0
    def ask(self, node):
        self.tries += 1
        node.positions.load()
def handler(node):
    client = Client()
    client.ask(node)
    if node.choose([True, False]):
        client.ask(node)
    node.positions.load()
    node.output.push(client.tries)
""",
    "an_attribute_that_counts_and_decides": """
class Client:
    def __init__(self):
        self.tries = 0
    def ask(self, node):
        self.tries += 1
        node.positions.load()
        return self.tries > 2
def handler(node):
    client = Client()
    while not client.ask(node):
        pass
    node.output.push("enough")
""",
    "a_generator_that_tells_how_far_it_came": """
def numbers(node):
    n = 0
    try:
        while True:
            yield n
            n += 1
    finally:
        told.append(n)
told = []
def handler(node):
    for _ in numbers(node):
        node.positions.load()
        if node.choose([True, False]) or len(node.state.load() or []) > 1:
            break
        node.state.save([*(node.state.load() or []), 1])
    node.output.push(told)
""",
    "a_generator_that_gets_what_is_sent": """
def sums():
    n = 0
    while True:
        n += (yield n) or 0
def handler(node):
    found = sums()
    next(found)
    found.send(node.choose([1, 2]))
    node.positions.load()
    node.output.push(found.send(0))
""",
    "members_of_an_enumeration": """
import enum
class Stage(enum.Enum):
    ONE = 1
    TWO = 2
    def __str__(self):
        return f"stage {self.value}"
def handler(node):
    stage = Stage.ONE
    if node.choose([True, False]):
        stage = Stage(2)
    node.positions.load()
    node.output.push([str(stage), stage is Stage.TWO, stage.name])
""",
    "a_member_of_an_enumeration_that_was_changed": """
import enum
class Stage(enum.Enum):
    ONE = 1
    told = enum.nonmember([])
def handler(node):
    Stage.ONE.seen = node.choose([1, 2])
    Stage.told.append(node.choose([1, 2]))
    node.positions.load()
    node.output.push([Stage.ONE.seen, Stage.told])
""",
    "equal_values_of_two_enumerations": """
import enum
class Stage(enum.IntEnum):
    ONE = 1
class Other(enum.IntEnum):
    ONE = 1
def handler(node):
    stage = [Stage.ONE, Other.ONE, 1][node.choose([0, 1, 2])]
    node.positions.load()
    node.output.push([str(type(stage)), stage == 1])
""",
    "equal_texts_beside_an_enumeration": """
class Stage:
    ONE = "a text of several words"
def handler(node):
    stage = Stage.ONE
    if node.choose([True, False]):
        stage = " ".join(stage.split())
    node.positions.load()
    node.output.push(stage is Stage.ONE)
""",
    "patterns_and_what_they_matched": """
import re
def handler(node):
    pattern = re.compile("a", node.choose([0, 2]))
    found = pattern.search("a-a", node.choose([0, 1]))
    node.positions.load()
    node.output.push([found.start(), pattern.flags])
""",
    "copies_that_share": """
import copy
def handler(node):
    one = [[1]]
    other = copy.copy(one) if node.choose([True, False]) else copy.deepcopy(one)
    node.positions.load()
    other[0].append(2)
    node.output.push(one)
""",
    "a_module_of_the_library_that_keeps_something": """
from exactly_once.lockfree import progress
def handler(node):
    progress.told_by_a_test = node.choose([1, 2])
    node.positions.load()
    node.output.push(progress.told_by_a_test)
""",
    "an_object_that_changes_its_class": """
import dataclasses
class Client:
    def __init__(self):
        self.tries = 0
@dataclasses.dataclass(match_args=False)
class Told:
    tries: int = 0
def handler(node):
    client = Client()
    if node.choose([True, False]):
        client.tries += 1
    node.positions.load()
    client.__class__ = Told
    node.output.push(repr(client))
""",
    "what_the_life_of_a_node_knows": """
def handler(node):
    if node.choose([True, False]):
        node.crash_point("B")
    node.crash_point("A")
    node.output.push(node._life.steps)
""",
    "a_job_of_its_own": """
from exactly_once.pipeline import Job
def handler(node):
    job = Job(items=node.choose([1, 2]))
    node.positions.load()
    node.output.push(job.items)
""",
    "steps_within_any_and_all": """
def handler(node):
    found = any(node.choose([0, 1]) == one for one in (1, 1, 0))
    node.output.push([found, all(node.choose([0, one]) for one in (1, 2))])
""",
    "the_same_zero_or_another": """
def handler(node):
    zero = float("0") if node.choose([False, True]) else 0.0
    node.positions.load()
    node.output.push(zero is 0.0)
""",
    "the_names_of_a_function_and_a_class": """
import functools
def handler(node):
    class Step:
        pass
    step = functools.singledispatch(lambda value: [step.__name__, Step.__name__])
    step.register(node.choose([int, str]), lambda value: 5)
    step.__name__, Step.__name__ = node.choose(["one", "two"]), node.choose(["three", "four"])
    node.positions.load()
    node.output.push([step(1), step("a")])
""",
    "a_list_that_is_the_key_of_its_own_order": """
class Items(list):
    def __call__(self, item):
        self.asked += 1
        return self.node.choose([1, 2])
def handler(node):
    items = Items([1, 2] if node.choose([True, False]) else [1, 2, 3])
    items.node, items.asked = node, 0
    items.sort(key=items)
    node.output.push(items.asked)
""",
    "a_choice_among_methods": """
def handler(node):
    two = node.choose([True, False])
    node.output.push(two)
    steps = [node.store("a").write, node.store("b" if two else "a").write]
    two = node.choose(steps)("x", 1)
    node.output.push(node.store("b").read("x"))
""",
    "a_class_that_others_join": """
import abc
class Open(abc.ABC):
    pass
def handler(node):
    if node.choose([True, False]):
        Open.register(int)
    node.positions.load()
    node.output.push(isinstance(1, Open))
""",
}

"""Functions (state, inputs) → (state, outputs), pure and not, as a learner would write them into a file."""

import datetime
import functools
import itertools
import random
import sys
import time
from time import gmtime, monotonic

CALLS, SEEN = itertools.count(), set()


def total(state, inputs):
    """Add up <all> & report."""
    state += sum(value or 0 for value in inputs)
    return state, [state, "big" if state > 20 else None]


def deduplicate(state, inputs):
    (value,) = inputs
    return (state, []) if value in state else ([*state, value], [value])


def changes_its_arguments(state, inputs):
    state.append(inputs.pop())
    return state, [len(state)]


def mean(state, readings):
    return state, [sum(one.value for one in readings) / len(readings)]


def sink(state, inputs):
    return state + inputs[0], []


def rolls_dice(state, inputs):
    return state, [random.random()]


def remembers(state, inputs):
    new = inputs[0] not in SEEN
    SEEN.add(inputs[0])
    return state, [new]


def in_the_order_of_a_set(state, inputs):
    return state, [list({"a", "b", "c", "d", "e"})]


def never_ends(state, inputs):
    while True:
        pass


def divides_by_zero(state, inputs):
    return state, [1 / 0]


def returns_its_state(state, inputs):
    return state


def returns_text(state, inputs):
    return state, "ab"


def returns_an_object(state, inputs):
    return state, [object()]


def takes_one(state):
    return state, []


def does_not_expect_none(state, inputs):
    left, right = inputs
    return state + left, [(right or 0) + left]


@functools.lru_cache
def fibonacci(number):
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def asks_the_year(state, inputs):
    return state, [datetime.datetime.now().year]


def changes_its_mind_later(state, inputs):
    return state, [next(CALLS) >= 10]


def leaves(state, inputs):
    sys.exit("enough")


async def is_async(state, inputs):
    return state, []


FIRSTS, TABLE, LAST, CONSTANT = {}, {5: "five", 7: "seven"}, [None], (5, 7)


def remembers_firsts(state, inputs):
    """Pass on a value when it comes for the first time, as far as this copy of the function knows."""
    return state + 1, inputs if FIRSTS.setdefault(inputs[0], state) == state else []


class Memory:
    """Keeps the state in which each value came first."""

    def __init__(self):
        self.firsts = {}

    def __call__(self, state, inputs):
        return state + 1, inputs if self.firsts.setdefault(inputs[0], state) == state else []


remembers_as_an_object = Memory()


def remembers_in_a_default(state, inputs, firsts={}):  # noqa: B006 - it is what is tried
    return state + 1, inputs if firsts.setdefault(inputs[0], state) == state else []


def _with_a_closure():
    firsts = {}

    def remembers_in_a_closure(state, inputs):
        return state + 1, inputs if firsts.setdefault(inputs[0], state) == state else []

    return remembers_in_a_closure


remembers_in_a_closure = _with_a_closure()


@functools.lru_cache
def first_state(value):
    return LAST[0]


def remembers_in_a_cache(state, inputs):
    LAST[0] = state
    return state + 1, inputs if first_state(inputs[0]) == state else []


def remembers_in_an_attribute(state, inputs):
    firsts = vars(remembers_in_an_attribute).setdefault("firsts", {})
    return state + 1, inputs if firsts.setdefault(inputs[0], state) == state else []


def notices_that_a_question_was_left_out(state, inputs):
    """Answer otherwise when the question before was not that of the state before, as after a twin's step."""
    before, LAST[0] = LAST[0], state
    return state + 1, ["skipped" if before is not None and before < state - 1 else "next"]


def _with_constants(names):
    def looks_up(state, inputs, more=("!",)):
        """Look up constants of every kind; a cache that answers the same is none that remembers."""
        return state + fibonacci(inputs[0]), [
            [names[inputs[0]], TABLE[inputs[0]], more[0], CONSTANT.index(inputs[0])]
        ]

    return looks_up


looks_up = _with_constants({5: "cinq", 7: "sept"})


class Day(datetime.date):
    """A day, as learners make their own."""


class Moment(datetime.datetime):
    """A moment that is asked for in a way of its own."""

    @classmethod
    def current(cls):
        return super().now()


CLOCKS = {
    "strftime": lambda state, inputs: (state, [time.strftime("%Y")]),
    "localtime": lambda state, inputs: (state, [time.localtime().tm_year]),
    "gmtime": lambda state, inputs: (state, [gmtime().tm_year]),
    "gmtime(None)": lambda state, inputs: (state, [time.gmtime(None).tm_year]),
    "monotonic": lambda state, inputs: (state, [monotonic() > 0]),
    "perf_counter_ns": lambda state, inputs: (state, [time.perf_counter_ns() > 0]),
    "ctime": lambda state, inputs: (state, [time.ctime()[-4:]]),
    "by a map": lambda state, inputs: (state, [next(map(gmtime, [None])).tm_year]),
    "by a partial": lambda state, inputs: (state, [functools.partial(time.strftime, "%Y")()]),
    "today of a subclass": lambda state, inputs: (state, [Day.today().year]),
    "now of a subclass": lambda state, inputs: (state, [Moment.current().year]),
    "utcnow of a subclass": lambda state, inputs: (state, [Moment.utcnow().year]),
}
ZONES = {
    "localtime": lambda state, inputs: (state, [time.localtime(inputs[0]).tm_hour]),
    "fromtimestamp": lambda state, inputs: (state, [Moment.fromtimestamp(inputs[0]).hour]),
}


def knows_times_of_its_inputs(state, inputs):
    """Make a text of a time that comes with the inputs, in no zone but the world's."""
    moment = gmtime(inputs[0] * 86_400)
    day = Moment.fromtimestamp(inputs[0], datetime.UTC).date()
    return state, [[time.strftime("%Y-%m-%d", moment), day.isoformat(), Day(2024, 1, 1).year]]


def in_the_order_of_two_words(one, other):
    def lists_a_set(state, inputs):
        return state, [list({one, other})]

    return lists_a_set

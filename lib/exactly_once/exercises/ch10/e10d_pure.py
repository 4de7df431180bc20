"""Exercise 10d: three pure functions for the machine: without repetitions, the two largest, and a join."""

from collections.abc import Callable
from html import escape
from typing import NamedTuple

import pandas as pd

from ... import show as drawing
from ...errors import CourseError
from ...node import Program
from ...node.world import QUEUES
from ...stores.codec import decode, describe, encode
from ..kinds.proved import World, proved_in
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import called, words_of
from ..kinds.values import Function, Values
from .form import Filled, Machine, values_in

LONGEST = 40  # characters of a state that holds nothing but what it needs, where nothing waits


def distinct(orders):
    """Return the right outputs for a list of inputs: each order when it comes first."""
    seen, found = set(), []
    for [order] in orders:
        found.append(None if order in seen else order)
        seen.add(order)
    return found


def top(numbers):
    """Return the right outputs: the two largest so far, after each change."""
    held, found = [], []
    for [number] in numbers:
        before, held = held, sorted([*held, number], reverse=True)[:2]
        found.append(None if held == before else held)
    return found


def join(rows):
    """Return the right outputs: after each input, the orders whose payment and shipment have both arrived."""
    waiting, found = ({}, {}), []
    for row in rows:
        for side, one in zip(waiting, row, strict=True):
            if one is not None:
                side[one[0]] = one[1]
        both = sorted(waiting[0].keys() & waiting[1].keys())
        found.append([[order, waiting[0].pop(order), waiting[1].pop(order)] for order in both] or None)
    return found


class Kind(NamedTuple):
    """One of the three functions: its task, the oracle for a list of inputs, and the lists to try."""

    words: str
    right: Callable
    cases: tuple


def _orders(text):
    return [[order] for order in text.split()]


def _paid(order, price=5):
    return [order, price]


def _sent(order):
    return [order, "shipment"]


PAIRS = [[_paid(f"o{number}"), _sent(f"o{number}")] for number in range(30)]
KINDS = {
    "distinct": Kind(
        "without repetitions",
        distinct,
        (_orders("tea"), _orders("tea milk"), _orders("tea tea"), _orders("tea milk tea salt milk")),
    ),
    "top": Kind(
        "the two largest so far",
        top,
        ([[5]], [[5], [3]], [[3], [5]], [[5], [3], [4]], [[5], [3], [1]], [[-1], [-2], [-3]], [[2], [2], [2]],
         [[1], [2], [3], [2]]),
    ),
    "join": Kind(
        "payments and shipments",
        join,
        (
            [[_paid("a"), _sent("a")]],
            [[_paid("a"), None], [None, _sent("a")]],
            [[None, _sent("a")], [_paid("a"), None]],
            [[_paid("a"), _sent("b")], [_paid("b"), _sent("c")], [_paid("c"), _sent("a")]],
            [[_paid("a"), None], [_paid("b"), None], [None, _sent("b")], [None, _sent("a")]],
            [[_paid("a"), _sent("b")], [_paid("b"), _sent("a")]],
            [[_paid("a", 0), None], [None, _sent("a")]],
            PAIRS,
        ),
    ),
}  # fmt: skip


def tried(function, rows):
    """Call a function for each of `rows`, each time twice, on copies.

    Return (outputs, mistake or "", text of the last state)."""
    state, found = encode(None), []
    for row in rows:
        try:
            pair = [function(decode(state), decode(encode(row))) for _ in range(2)]
        except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises is told
            return found, f"it fails with {words_of(why)}", state
        one, again = pair
        if not isinstance(one, tuple) or len(one) != 2 or not isinstance(one[1], (list, tuple)):
            return found, f"it returns {one!r}; return (state, outputs), and outputs is a list", state
        if len(one[1]) > 1:
            return found, f"its outputs are {one[1]!r}, and there is one queue; give a list of one value", state
        try:
            if encode(list(one)) != encode(list(again)):
                return found, f"called twice with the same, it gives {one!r} and {again!r}", state
            state = encode(one[0])
        except CourseError as why:
            return found, f"it returns {one!r}, which no store keeps: {why}", state
        found.append(one[1][0] if one[1] else None)
    return found, "", state


def all_tried(functions):
    """Return {name: the results of `tried` for the cases}."""
    return {name: [tried(function, rows) for rows in KINDS[name].cases] for name, function in functions.items()}


def judged(functions):
    """Try each function on its cases; then prove all three in the machine, on two nodes."""
    results = called(all_tried, functions)
    if all("it returns None;" in said for told in results.values() for _, said, _ in told):
        return unsolved("the bodies of your functions")
    for name, told in results.items():
        for rows, (found, said, state) in zip(KINDS[name].cases, told, strict=True):
            if reply := _judged(name, rows, found, said, state):
                return reply
    refused, states = proved_in(WORLDS, functions)
    if refused:
        return refused
    count = sum(len(kind.cases) for kind in KINDS.values())
    return right(
        f"All three are right ({count} lists of inputs), and in the machine two nodes run them exactly once "
        f"({states:,} states). In none of them did you have to think of a twin or of a crash.",
        picture=_picture(answer_told(functions)),
    )


def _judged(name, rows, found, said, state):
    wanted = KINDS[name].right(rows)
    shown = _picture({name: (rows[:6], [*map(_text, found), said][:6], wanted[:6])})
    if said:
        return wrong(f"{name}: {said}.", picture=shown)
    if name == "join":  # the orders of one step may come in any order
        found = [sorted(one, key=encode) if isinstance(one, list) else one for one in found]
    if encode(found) != encode(wanted):
        pairs = enumerate(zip(found, wanted, strict=True))
        place = next(at for at, (one, other) in pairs if encode([one]) != encode([other]))
        after = f" after {', '.join(map(_row, rows[:place]))}" if place else ""
        return wrong(
            f"{name}: for {_row(rows[place])}{after} it sends {_text(found[place])}; right is "
            f"{_text(wanted[place])}.",
            picture=shown,
        )
    if name == "join" and rows is PAIRS and len(state) > LONGEST:
        return wrong(
            f"join: after {len(rows)} orders that are all joined its state is {state[:60]} …, and it grows with each "
            "of them. What need no longer be known?"
        )
    return None


def _row(row):
    return " and ".join("nothing" if one is None else describe(one) for one in row)


def _text(value):
    return "nothing" if value is None else describe(value)


class Sends:
    """The rule: the queue holds the right outputs, in one node's order; a join's orders may come in any order."""

    def __init__(self, wanted):
        self.wanted = wanted

    def __call__(self, view):
        found = values_in(view, "output")
        if isinstance(self.wanted, frozenset):
            found = [encode(one) for held in found for one in held]
            fine = len(set(found)) == len(found) and {*found} <= self.wanted
            if fine and (not view.done or {*found} == self.wanted):
                return True
            return f"the queue holds {', '.join(found) or 'nothing'}; right is {', '.join(sorted(self.wanted))}"
        if found == (self.wanted if view.done else self.wanted[: len(found)]):
            return True
        return f"the queue holds {_text(found)}; right is {_text(self.wanted)}"


def feeder(node):
    """Put one shipment into its queue, at any moment."""
    node.store(QUEUES).cas("shipments.0", 0, _sent("a"))


def programs(function, queues):
    """Return the programs of two nodes that run a function over queues that are full; one that is None is fed."""
    source = Filled(tuple(queues), tuple((name, encode(held)) for name, held in queues.items() if held is not None))
    nodes = [Machine(function, source).program] * 2
    fed = [name for name, held in queues.items() if held is None]
    return nodes + [_feeding(source, fed)] * bool(fed)


def _feeding(source, fed):
    return Program(feeder, source, name="feeder", feeds=tuple(fed))


def world(when, name, queues, wanted, **faults):
    """Return the world of two nodes that run one of the functions."""
    return World(when, lambda functions: programs(functions[name], queues), Sends(wanted), faults)


PAID, SHIPPED, JOINED = [_paid("a")], [_sent("a")], frozenset({encode(["a", 5, "shipment"])})
BOTH = {"payments": PAID, "shipments": SHIPPED}
FED = {"payments": PAID, "shipments": None}
WORLDS = (
    world("distinct, on two nodes", "distinct", {"orders": ["tea", "tea"]}, ["tea"]),
    world("top, on two nodes", "top", {"numbers": [5, 3]}, [[5], [5, 3]]),
    world("join, on two nodes", "join", BOTH, JOINED),
    world("join, where one queue stays empty", "join", {"payments": PAID, "shipments": []}, frozenset()),
    world("join, where a shipment comes when it likes", "join", FED, JOINED),
    world("join, and one crash", "join", BOTH, JOINED, crashes=1),
)


def answer_told(functions):
    """Return one case of each function for `_picture`: {name: (inputs, outputs, None)}."""
    found = {}
    for name, function in functions.items():
        rows = KINDS[name].cases[3]
        sent, said, _ = called(tried, function, rows)
        found[name] = rows, [*map(_text, sent), said][: len(rows)], None
    return found


def _picture(told):
    """Draw {name: (inputs, outputs, right outputs)}. Either the outputs or the right outputs may be None."""
    html, text = [], []
    for name, (rows, sent, wanted) in told.items():
        columns = {"inputs": list(map(_row, rows))}
        columns |= {} if sent is None else {"sends": (sent + [""] * len(rows))[: len(rows)]}
        columns |= {} if wanted is None else {"right is": list(map(_text, wanted))}
        table = pd.DataFrame(columns)
        title = f"{name}: {KINDS[name].words}"
        html.append(f'<p class="eo-h">{escape(title)}</p>{drawing.table_html(table)}')
        text.append(f"{title}\n{table.to_string(index=False)}")
    return drawing.Picture("".join(html), text="\n\n".join(text))


def blank():
    """Draw some inputs and the right outputs."""
    examples = {name: kind.cases[3] for name, kind in KINDS.items()}
    return _picture({name: (rows, None, KINDS[name].right(rows)) for name, rows in examples.items()})


TASK = Values(
    answer="functions",
    asks="three functions",
    what="answer",
    fields=dict.fromkeys(KINDS, Function("a state and inputs")),
    rule=judged,
    drawn=lambda functions: _picture(answer_told(functions)),
    blank=blank,
)

"""The registers with which the nodes of one handler tell who they are, such as the flags of a lock: no effects."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from ...node.access import register_in
from ...node.world import ENGINE
from ...stores.codec import decode, encode
from ..case import Bounds
from ..model.automaton import Stopped
from .search import Search

if TYPE_CHECKING:
    from ..model.automaton import Automaton
    from .search import Limits

Ways: TypeAlias = set[frozenset[tuple[str, str]]]


def bookkeeping(automaton: Automaton, alone: set[str], items: int, limits: Limits) -> Ways:
    """Return the registers that name a node, as (part, text), as each run of these nodes without faults leaves them.

    Nothing but their numbers tells nodes of one handler apart. A register names a node if its name holds a node's
    number, and one node only asks to write it; or if its content does, every node asks to write it, no two of them
    the same, and a node alone leaves it, too (`alone` are these parts). A counter that reaches 2 names none. Raises
    `Stopped` if these runs are not all explored within the limits.
    """
    search = Search(automaton, None, Bounds(automaton.nodes, items, crashes=0))
    found = search.in_any_order(limits)
    if not found.exhausted:
        raise Stopped(f"{found.stopped or automaton.lost_sight()} before the runs without a fault were known")
    contents, nodes = automaton.contents, range(automaton.nodes)
    steps = {(node, automaton.states[state[3][node]].operation) for state in search.states for node in nodes}
    asked = defaultdict(set)  # {part: {(node, text)}}
    for node, operation in steps:
        store, part, verb, arguments = contents.operations[operation] if operation >= 0 else ("", "", "", "")
        if (store, verb) == (ENGINE, "cas") and register_in(part):
            asked[part].add((node, encode(decode(arguments)[-1])))

    def names(text: str) -> bool:
        return not {*map(str, (*nodes, len(nodes)))}.isdisjoint(re.findall(r"\d+", text))  # from 0, or from 1, on

    def is_bookkeeping(part: str, text: str) -> bool:
        writers, values = {node for node, _ in asked[part]}, [value for _, value in asked[part] if names(value)]
        if names(part) and len(writers) == 1:
            return True
        return names(text) and part in alone and writers == {*nodes} and len(values) == len({*values})

    left = (contents.outcome(store_state).registers for store_state in found.outcomes)
    ways = {frozenset(pair for pair in registers if is_bookkeeping(*pair)) for registers in left}
    return ways if any(ways) else set()

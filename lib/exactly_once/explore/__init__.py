"""Every run: all schedules of one or more handlers within bounds, and the schedules that break them.

This is explicit-state bounded model checking: the search generates global states one by one and compares them (E.
Clarke, E. Emerson, A. Sistla, TOPLAS 8(2), 1986). It runs the handlers' own Python in place of a model in another
language, for a given number of nodes, inputs and faults. The loop of `Search.in_order` (`search/search.py`):

    frontier = {initial state: cost 0}             # a state: store state, fault budget, who went last, local states
    while frontier:
        state = frontier.pop(least (faults, preemptions, steps))          # uniform-cost search (Dijkstra 1959)
        if a handler raised, or does not end, or observers see a state that no right run shows:
            return the schedule that led to state                         # search/specification.py
        if all nodes have ended, and the outcome is not among the right ones:
            return the schedule that led to state
        transitions = for each node and each sleeper, its step, and each fault there that the budget allows
        if some node has not ended, and none of these is without a fault:
            return the schedule that led to state, as a deadlock
        for transition in transitions, and in the arrivals of late requests:
            after = canonical(the state after it)                         # symmetry reduction (Ip and Dill 1996)
            if after is new, or was dearer:
                frontier[after] = cost(state) + cost(transition)

Most states are visited in any order (`Search.in_any_order`), depth first. There an actor whose transitions are
independent of all transitions of the others goes alone: partial-order reduction (Godefroid 1996). Where incarnations
can wait, or steps can lead back to an earlier state, `search/liveness.py` looks for an incarnation that never ends
alone, and for steps that loop in the unreduced graph of states (strongly connected components, Tarjan 1972). The
common parts of two states are stored once (`model/store_contents.py`), and two incarnations with the same future are
one local state (`model/state_key.py`). A table names the properties of operations that each shortcut relies on
(`model/shortcuts.py`).

`prove` is the entry point, connects the parts, and says what is wrong with a schedule; `case` holds what is proved
and its bounds, `proof` the result. `model` is the searched graph of states, `search` holds the algorithms.
"""

from .case import KINDS, Bounds, Case
from .model.versions import VersionAbstraction
from .prove import Prover, exploring, prove, replay
from .search.search import Limits

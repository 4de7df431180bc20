"""Every run: all schedules of one or more handlers within bounds, and what breaks them.

This is explicit-state bounded model checking: global states are made and compared one by one (E. Clarke, E. Emerson,
A. Sistla, TOPLAS 8(2), 1986), of the handlers' own Python in place of a model in another language, for so many
nodes, inputs and faults. The loop, as `Search.in_order` in `search/search.py` has it:

    frontier = {initial state: cost 0}             # a state: store state, fault budget, who went last, local states
    while frontier:
        state = frontier.pop(least (faults, preemptions, steps))          # uniform-cost search (Dijkstra 1959)
        if a handler raised, or does not end, or observers see what no right run shows:
            return the schedule that led to state                         # search/properties.py
        if all nodes have ended, and the outcome is not among the right ones:
            return the schedule that led to state
        transitions = for each node and each sleeper, its step, and each fault there that the budget allows
        if some node has not ended, and none of these is without a fault:
            return the schedule that led to state, as a deadlock
        for transition in transitions, and in the arrivals of late requests:
            after = canonical(the state after it)                         # symmetry reduction (Ip and Dill 1996)
            if after is new, or was dearer:
                frontier[after] = cost(state) + cost(transition)

Most states are gone through in any order (`Search.in_any_order`), depth first: there an actor whose transitions are
independent of all that others can do goes alone, which is partial-order reduction (Godefroid 1996). Where lives can
wait, or steps can lead back to where they began, `search/liveness.py` looks for a life that alone never ends, and
for steps that go round in the unreduced graph of states (strongly connected components, Tarjan 1972). What two
states have in common is kept once (`model/store_contents.py`), and two lives that will do the same are one local
state (`model/state_key.py`). Which of these shortcuts relies on which property of which operation is a table
(`model/shortcuts.py`).

`prove` is the way in, `prover` puts the parts together, `bounds` says how far it goes, `proof` what came of it,
`explanation` puts a schedule into words, `tokens` makes it one line. `model` is what is searched, `search` is how.
"""

from .prove import prove, replay

__all__ = ["prove", "replay"]

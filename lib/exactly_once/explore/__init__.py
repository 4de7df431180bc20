"""Every run: all schedules of one or more handlers within bounds, and what breaks them.

This is explicit-state bounded model checking (E. Clarke, E. Emerson, A. Sistla, TOPLAS 8(2), 1986; for bounds in the
number of faults and preemptions see M. Musuvathi and S. Qadeer, PLDI 2007). The loop, in `search/search.py`:

    frontier = {initial state: cost 0}                  # a state: stores, fault budget left, each node's local state
    while frontier:
        state = frontier.pop(the least (faults, preemptions, steps))       # uniform-cost search (Dijkstra 1959)
        if no node is enabled in state:
            deadlock?  or an end: is its outcome among the right ones?     # search/properties.py
        for node in nodes of state, one for each set of twins:             # symmetry reduction (Ip and Dill 1996)
            for transition in transitions(stores, local state, node):      # the step, and each fault that the budget
            allows
                after = (stores after it, budget after it, local states after it)
                if a step of node is independent of all that others can do:
                    go on with this one alone                              # partial-order reduction (Godefroid 1996)
                if canonical(after) has not been seen:                     # merging by frame, or else by history
                    frontier.add(after, its cost)
    look for circles in what was seen in which somebody steps for ever     # liveness: search/liveness.py (Tarjan
    1972)

`prove` is the way in, `prover` puts the parts together, `bounds` says how far it goes, `proof` what came of it,
`explanation` tells a schedule in words, `tokens` makes it one line. `model` is what is searched, `search` is how.
"""

from .prove import prove, replay

__all__ = ["prove", "replay"]

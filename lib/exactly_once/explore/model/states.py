"""The whole numbers of the explorer, told apart by type: store states, local states, budgets of faults.

A checker of types tells them apart; at run time all are `int`. A global state is a plain tuple: as a `NamedTuple`
each would take 0.3 µs more to make, which was about a twentieth of the search's time.
"""

from typing import NewType, TypeAlias

StoreState = NewType("StoreState", int)  # what all stores hold, a number of `Contents.store_states`
LocalState = NewType("LocalState", int)  # the step that an incarnation is at, a number of `Automaton.states`
Budget = NewType("Budget", int)  # the faults that are left, four bits for each kind; or what one decision takes

GOING = ("store", "point", "choose")  # the kinds of local states that have a next step
NO_STATE = LocalState(-1)  # of an incarnation that there is not
BEGINNING = StoreState(0)  # before anything was done, with the inputs in place

GlobalState: TypeAlias = tuple[StoreState, Budget, int, tuple[LocalState, ...]]  # with who went last, or nobody
Core: TypeAlias = tuple[StoreState, Budget, tuple[LocalState, ...]]  # a global state without who went last

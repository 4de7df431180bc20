"""The state graph of the explorer: a handler as an automaton, and contents of stores as numbers.

`automaton` learns the next step of a handler, and lists the next transitions; `state_key` (with `bytecode` and
`frames`) says when two suspended incarnations are one state; `store_contents` interns contents, `versions` abstracts
from version numbers that only grow. `states` names the types of all these numbers.
"""

"""What the explorer searches: a handler as an automaton, and contents of stores as numbers.

`automaton` learns what a handler does next, by way of `probe`; `state_key` (with `bytecode` and `evaluation_stack`)
says when two suspended lives are one state; `store_contents` interns contents, `transitions` lists what can happen
next, `versions` abstracts from version numbers that only grow. `states` names the types of all these numbers.
"""

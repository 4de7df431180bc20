"""The explorer's search, and its rules for each state.

`search` goes through all schedules, in order and in any order, and finds what is wrong, deadlocks among it;
`specification` says which outcomes are right; `liveness` finds waiting incarnations, and steps that go on for ever.
"""

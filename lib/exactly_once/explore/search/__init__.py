"""The explorer's search, and its rules for each state.

`search` goes through all schedules by uniform cost, and finds those that loop for ever; `specification` says which
outcomes are right; `liveness` finds deadlocks, waiting incarnations, and steps that go on for ever.
"""

"""The explorer's search, and its rules for each state.

`search` goes through all schedules by uniform cost; `properties` says which outcomes are right; `liveness` and
`lasso` find deadlocks, waiting incarnations, and schedules that loop for ever; `outlook` finds the possible ends.
"""

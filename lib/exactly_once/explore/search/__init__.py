"""The explorer's search, and its rules for each state.

`search` goes through all schedules by uniform cost; `properties` says which outcomes are right; `completion` goes on
to the end of a run; `liveness` and `lasso` find deadlocks, waiting incarnations, and schedules that loop for ever.
"""

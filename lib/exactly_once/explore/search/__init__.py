"""How the explorer searches, and what it asks of each state.

`search` goes through all schedules by uniform cost; `properties` says which outcomes are right; `completion` goes on
to the end of a run; `liveness` and `lasso` find deadlocks, lives that wait, and schedules that go round for ever.
"""

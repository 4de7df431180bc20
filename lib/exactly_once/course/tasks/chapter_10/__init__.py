"""The exercises of chapter 10: the database handler, a push, a stage, a pure function, and the whole general form.

Each answer is a function that drives or is driven by the lock-free machine; a wrong one is met with the schedule
that breaks it.
"""

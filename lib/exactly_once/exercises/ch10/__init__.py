"""The exercises of chapter 10: the database handler, a push, a stage, a pure function, and the whole general form.

Each answer is a function that drives or is driven by the lock-free machine; the reply to a wrong
answer shows a failing schedule.
"""

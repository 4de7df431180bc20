"""The exercises of chapter 05: the broker's side of the idempotent producer, and what its memory holds and forgets.

Each answer is a rule, a broker's class or a schedule; a wrong one is met with the shortest case or schedule.
"""

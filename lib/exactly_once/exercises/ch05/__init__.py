"""The exercises of chapter 05: the broker's side of the idempotent producer, and the broker's memory.

Each answer is a rule, a broker's class or a mishap; the reply shows the shortest wrong case or schedule.
"""

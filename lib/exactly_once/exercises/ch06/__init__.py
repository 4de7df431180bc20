"""The exercises of chapter 06: fencing, isolation levels, the coordinator's memory, and a client.

Each answer is a rule, a reader, a choice of lines or a program. The reply to a wrong answer shows a failing run.
"""

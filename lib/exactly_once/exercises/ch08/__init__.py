"""The exercises of chapter 08: an order of locks, a withdrawal, an auditor, and a transfer that loses no money.

Each answer is a rule, a schedule or a program; the reply to a wrong answer shows a failing run.
"""

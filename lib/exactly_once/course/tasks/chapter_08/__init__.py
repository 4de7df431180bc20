"""The exercises of chapter 08: an order of locks, a withdrawal, an auditor, and a transfer that loses no money.

Each answer is a rule, a schedule or a program; a wrong one is met with the run that shows it.
"""

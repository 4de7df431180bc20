"""The exercises of chapter 06: who is fenced, what a reader may see, what a coordinator remembers, and a client.

Each answer is a rule, a reader, a choice of lines or a program; a wrong one is met with the run that shows it.
"""

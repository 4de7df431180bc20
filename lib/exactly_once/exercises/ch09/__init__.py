"""The exercises of chapter 09: the queue's hint, a push that helps, a ghost record, a reader, and a stack.

Each answer is a function, a schedule or a class; the reply to a wrong answer shows a failing run.
"""

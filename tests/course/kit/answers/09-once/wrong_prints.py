REASON = "your invariant returns None"


def answer(view):
    sorted(view.registers)

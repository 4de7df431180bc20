from collections import Counter


def answer(view):
    found = Counter(value for name, value in view.registers.items() if name.rpartition(".")[2].isdecimal())
    if max(found["a"], found["b"]) > 3:
        return "too many"
    return not view.done or min(found["a"], found["b"]) >= 2

"""The larger of each entry: whoever is equal to that knows all."""


def answer(one, other):
    joined = {process: max(one.get(process, 0), other.get(process, 0)) for process in {*one, *other}}
    if one == other:
        return "same"
    if joined == other:
        return "before"
    return "after" if joined == one else "concurrent"

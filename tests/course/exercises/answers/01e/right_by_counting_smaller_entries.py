"""Which entries are smaller, and which larger."""


def answer(one, other):
    differences = [one.get(process, 0) - other.get(process, 0) for process in one.keys() | other.keys()]
    less, more = min(differences) < 0, max(differences) > 0
    return ["same", "after", "before", "concurrent"][2 * less + more]

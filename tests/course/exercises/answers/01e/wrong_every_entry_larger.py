"""Wants every entry to be larger, and keeps what was replaced by its own writer."""

REASON = "so what was replaced comes back"


def answer(versions):
    def replaced(one, other):
        return all(other.get(process, 0) > time for process, time in one.items())

    found = [each for each in versions if not any(replaced(each[1], other) for _, other in versions)]
    return [each for place, each in enumerate(found) if each not in found[:place]]

REASON = "the abort marker is the end of what is hidden"


def answer(entries, aborted):
    return [
        value
        for offset, producer, kind, value in entries
        if kind == "record" and not any(one == producer and first <= offset for one, first in aborted)
    ]

REASON = "only the list says that it was aborted"


def answer(entries, aborted):
    values = []
    for place, (_, producer, kind, value) in enumerate(entries):
        ends = (other for _, who, other, _ in entries[place:] if who == producer and other != "record")
        if kind == "record" and next(ends, "commit") == "commit":
            values.append(value)
    return values

REASON = "should return"


def answer(entries, aborted):
    gone = {producer for producer, _ in aborted}
    return [value for _, producer, kind, value in entries if kind == "record" and producer not in gone]

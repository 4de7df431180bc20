REASON = "not in sync"


def answer(in_sync, alive, ends):
    return alive[0] if alive else None

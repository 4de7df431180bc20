REASON = "which is dead"


def answer(in_sync, alive, ends):
    return in_sync[0]

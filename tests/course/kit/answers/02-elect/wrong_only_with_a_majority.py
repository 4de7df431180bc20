REASON = "Nobody is elected"


def answer(in_sync, alive, ends):
    able = [broker for broker in in_sync if broker in alive]
    return able[0] if len(able) > len(ends) // 2 else None

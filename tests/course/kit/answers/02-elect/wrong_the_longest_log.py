REASON = "is the longest"


def answer(in_sync, alive, ends):
    able = [broker for broker in alive if broker in in_sync] or []
    return max(alive, key=lambda broker: (ends[broker], broker in in_sync), default=None) if able else None

def answer(in_sync, alive, ends):
    able = set(in_sync) & set(alive)
    return max(able, key=lambda broker: ends[broker], default=None)

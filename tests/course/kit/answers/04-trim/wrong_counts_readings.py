REASON = "two readings in each hour"


def answer(readings, hours):
    return readings[-hours:]

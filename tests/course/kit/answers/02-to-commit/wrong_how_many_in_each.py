from collections import Counter

REASON = "reads milk again"


def answer(done):
    return dict(Counter(record.partition for record in done))

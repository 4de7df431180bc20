from collections import defaultdict


def answer(done):
    ends = defaultdict(int)
    for record in reversed(done):
        ends[record.partition] = max(ends[record.partition], record.offset + 1)
    return dict(ends)

REASON = "may be lost"


def answer(leader, follower, offset):
    leader.ends[follower] = len(leader.records)
    leader.high_watermark = min(leader.ends.values())
    return leader.records[offset:], leader.high_watermark

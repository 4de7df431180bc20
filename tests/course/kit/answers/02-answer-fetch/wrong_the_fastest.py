REASON = "has the offsets below 0"


def answer(leader, follower, offset):
    leader.ends[follower] = offset
    leader.high_watermark = max(leader.ends.values())
    return leader.records[offset:], leader.high_watermark

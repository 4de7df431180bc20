REASON = "is what it is now"


def answer(leader, follower, offset):
    said = leader.records[offset:], leader.high_watermark
    leader.ends[follower] = offset
    leader.high_watermark = min(leader.ends.values())
    return said

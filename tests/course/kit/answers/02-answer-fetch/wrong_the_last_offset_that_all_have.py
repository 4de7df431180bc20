REASON = "so it is"


def answer(leader, follower, offset):
    leader.ends[follower] = offset
    leader.high_watermark = max(0, min(leader.ends.values()) - 1)
    return leader.records[offset:], leader.high_watermark

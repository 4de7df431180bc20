REASON = "may have nothing yet"


def answer(leader, follower, offset):
    leader.ends[follower] = offset
    leader.high_watermark = max(leader.ends.values())
    return leader.records[offset:], leader.high_watermark

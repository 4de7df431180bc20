REASON = "The high watermark is 1"


def answer(leader, follower, offset):
    leader.ends[follower] = offset
    leader.high_watermark = offset
    return leader.records[offset:], leader.high_watermark

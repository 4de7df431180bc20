REASON = "so it is"


def answer(leader, follower, offset):
    return leader.records[offset:], leader.high_watermark

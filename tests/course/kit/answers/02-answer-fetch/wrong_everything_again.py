REASON = "the records from offset"


def answer(leader, follower, offset):
    leader.ends[follower] = offset
    leader.high_watermark = min(leader.ends.values())
    return leader.records, leader.high_watermark

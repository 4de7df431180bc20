def answer(leader, follower, offset):
    leader.ends.update({follower: max(offset, leader.ends[follower])})
    committed = sorted(leader.ends.values())[0]
    if committed > leader.high_watermark:
        leader.high_watermark = committed
    return [*leader.records][offset:], leader.high_watermark

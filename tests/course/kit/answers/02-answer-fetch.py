"""Answers to the gap 02-answer-fetch."""

from tests.course.answers import Answers

answers = Answers("02-answer-fetch")

answers.right("never falls").code("""
    def answer(leader, follower, offset):
        leader.ends.update({follower: max(offset, leader.ends[follower])})
        committed = sorted(leader.ends.values())[0]
        if committed > leader.high_watermark:
            leader.high_watermark = committed
        return [*leader.records][offset:], leader.high_watermark
""")

answers.wrong("counts what it sends", ("= offset", "= len(leader.records)"), reason="may be lost")

answers.wrong("everything again", ("records[offset:]", "records"), reason="the records from offset")

answers.wrong("the fastest", ("high_watermark = min", "high_watermark = max"), reason="may have nothing yet")

answers.wrong("the one that asks", ("min(leader.ends.values())", "offset"), reason="The high watermark is 1")

answers.wrong("keeps nothing", reason="so it should be").code("""
    def answer(leader, follower, offset):
        return leader.records[offset:], leader.high_watermark
""")

answers.wrong("the last offset that all have", reason="so it should be").code("""
    def answer(leader, follower, offset):
        leader.ends[follower] = offset
        leader.high_watermark = max(0, min(leader.ends.values()) - 1)
        return leader.records[offset:], leader.high_watermark
""")

answers.wrong("the old high watermark", reason="After this fetch it is").code("""
    def answer(leader, follower, offset):
        said = leader.records[offset:], leader.high_watermark
        leader.ends[follower] = offset
        leader.high_watermark = min(leader.ends.values())
        return said
""")

"""Answers to the gap 02-to-commit."""

from tests.course.answers import Answers

answers = Answers("02-to-commit")

answers.right("by the largest").code("""
    from collections import defaultdict


    def answer(done):
        ends = defaultdict(int)
        for record in reversed(done):
            ends[record.partition] = max(ends[record.partition], record.offset + 1)
        return dict(ends)
""")

answers.wrong("by key", (".partition", ".key"), reason="from partition to offset")

answers.wrong("how many in all", ("record.offset + 1", "len(done)"), reason="which is not there")

answers.wrong("one too far", ("record.offset + 1", "min(record.offset + 2, 3)"), reason="skips")

answers.wrong("a list", reason="from partition to offset").code("""
    def answer(done):
        return [(record.partition, record.offset + 1) for record in done]
""")

answers.wrong("back to the start", reason="reads coffee again").code("""
    def answer(done):
        positions = {0: 0, 1: 0, 2: 0}
        for record in done:
            positions[record.partition] = record.offset + 1
        return positions
""")

answers.wrong("how many in each", reason="reads milk again").code("""
    from collections import Counter


    def answer(done):
        return dict(Counter(record.partition for record in done))
""")

answers.wrong("the last offset", reason="again").code("""
    def answer(done):
        return {record.partition: record.offset for record in done}
""")

answers.wrong("the last record alone", reason="again").code("""
    def answer(done):
        return {done[-1].partition: done[-1].offset + 1} if done else {}
""")

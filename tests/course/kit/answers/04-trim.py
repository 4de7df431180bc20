"""Answers to the gap 04-trim."""

from tests.course.answers import Answers

answers = Answers("04-trim")

answers.right("a loop").code("""
    def answer(readings, hours):
        kept, newest = list(readings), 0
        for reading in readings:
            newest = max(newest, reading.hour)
        for reading in readings:
            if newest - reading.hour >= hours:
                kept.remove(reading)
        return kept
""")

answers.right("by filter as a tuple").code("""
    def answer(readings, hours):
        hours_there = sorted(reading[0] for reading in readings)
        return tuple(filter(lambda reading: reading[0] > hours_there[-1] - hours, readings))
""")

answers.wrong("one hour too many", ("reading.hour >", "reading.hour >="), reason="keep a reading of hour 2")

answers.wrong(
    "trusts the last",
    ("max(reading.hour for reading in readings)", "readings[-1].hour"),
    reason="a stream that is behind",
)

answers.wrong("counts readings", reason="two readings in each hour").code("""
    def answer(readings, hours):
        return readings[-hours:]
""")

answers.wrong("drops what is twice", reason="drop a reading of hour 3").code("""
    def answer(readings, hours):
        newest = max(reading.hour for reading in readings)
        return list({reading for reading in readings if reading.hour > newest - hours})
""")

answers.wrong("fails", reason="AttributeError").code("""
    def answer(readings, hours):
        return [reading for reading in readings if reading.age < hours]
""")

answers.wrong("gives hours", reason="which is not one of the readings").code("""
    def answer(readings, hours):
        newest = max(reading.hour for reading in readings)
        return [reading.hour for reading in readings if reading.hour > newest - hours]
""")

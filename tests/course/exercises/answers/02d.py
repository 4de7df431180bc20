"""Answers to the exercise 02d."""

from tests.course.answers import Answers

given = """
    from exactly_once.log import Consumer
    from exactly_once.log.errors import OffsetOutOfRange
"""
answers = Answers("02d", given)

# Lets a consumer do it, and reads batches of the library's own size.
answers.right("a consumer").code("""
    def answer(log, committed):
        consumer = Consumer(log, "orders")
        start = consumer.position(0)
        consumer.seek(0, start if committed is None else max(start, committed))
        values = []
        while records := consumer.poll():
            values.extend(records)
        return (
            [record.value for record in values],
            consumer.position(0),
            max(0, start - (start if committed is None else committed)),
        )
""")

# Fetches record by record, and lets the error say that the position is gone.
answers.right("one record at a time").code("""
    def answer(log, committed):
        position = log.log_start("orders", 0) if committed is None else committed
        values, missed = [], 0
        while True:
            try:
                found = log.fetch("orders", 0, position, max_records=1)
            except OffsetOutOfRange:
                missed = log.log_start("orders", 0) - position
                position += missed
                continue
            if not found:
                return values, position, missed
            values.append(found[0].value)
            position = found[0].offset + 1
""")

# Takes the position for a count of records. Plausible: right for a log without gaps.
answers.plausible("counts records", reason="An offset is not a number of records").code("""
    def answer(log, committed):
        start = log.log_start("orders", 0)
        position = start if committed is None else max(committed, start)
        values = [record.value for record in log.fetch("orders", 0, position)]
        return values, position + len(values), 0 if committed is None else position - committed
""")

# Takes the committed offset for the last record that was read; it is the next one to read. Plausible: right without
# a committed offset.
answers.plausible("skips the committed offset", reason="it does not return 'order 1'").code("""
    def answer(log, committed):
        start = log.log_start("orders", 0)
        position = start if committed is None else max(committed + 1, start)
        end = log.high_watermark("orders", 0)
        values = [record.value for record in log.fetch("orders", 0, min(position, end))]
        return values, end, 0 if committed is None else max(0, start - committed)
""")

# Takes the end of the log for a place that does not exist.
answers.wrong("end is an error", reason="no position").code("""
    def answer(log, committed):
        start, end = log.log_start("orders", 0), log.high_watermark("orders", 0)
        position = start if committed is None else max(committed, start)
        if position >= end:
            raise ValueError("no position in the log")
        values = [record.value for record in log.fetch("orders", 0, position)]
        return values, end, 0 if committed is None else position - committed
""")

# Begins at offset 0 when nothing is committed, without regard to deleted records.
answers.wrong("from the beginning", reason="Read from the log start on").code("""
    def answer(log, committed):
        values = [record.value for record in log.fetch("orders", 0, committed or 0)]
        return values, log.high_watermark("orders", 0), 0
""")

# Goes on with the newest record when its position is gone ("latest").
answers.wrong("goes on at the end", reason="it does not return 'order 2'").code("""
    def answer(log, committed):
        start = log.log_start("orders", 0)
        position = start if committed is None else committed
        try:
            found = log.fetch("orders", 0, position)
        except OffsetOutOfRange:
            end = log.high_watermark("orders", 0)
            return [], end, end - position
        return [record.value for record in found], log.high_watermark("orders", 0), 0
""")

# Polls once, and takes that for everything.
answers.wrong("one poll", reason="Go on until a fetch returns nothing").code("""
    def answer(log, committed):
        consumer = Consumer(log, "orders")
        start = consumer.position(0)
        if committed is not None:
            consumer.seek(0, max(start, committed))
        values = [record.value for record in consumer.poll()]
        return values, consumer.position(0), 0 if committed is None else max(0, start - committed)
""")

# Goes on at the log start, and says nothing about the missed records.
answers.wrong("passes over what is gone", reason="it says that 0 records were missed. It should say 2").code("""
    def answer(log, committed):
        position = max(committed or 0, log.log_start("orders", 0))
        return [record.value for record in log.fetch("orders", 0, position)], log.high_watermark("orders", 0), 0
""")

# Reads everything again, to be on the safe side.
answers.wrong("starts anew", reason="Some of the values stand before it").code("""
    def answer(log, committed):
        start = log.log_start("orders", 0)
        missed = 0 if committed is None else max(0, start - committed)
        return [record.value for record in log.fetch("orders", 0, start)], log.high_watermark("orders", 0), missed
""")

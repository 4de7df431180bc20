# Plausible: right without a committed offset.
"""Takes the committed offset for the last record that was read; it is the next one to read."""

REASON = "it does not return 'order 1'"


def answer(log, committed):
    start = log.log_start("orders", 0)
    position = start if committed is None else max(committed + 1, start)
    end = log.high_watermark("orders", 0)
    values = [record.value for record in log.fetch("orders", 0, min(position, end))]
    return values, end, 0 if committed is None else max(0, start - committed)

"""Takes the end of the log for a place that does not exist."""

REASON = "no position"


def answer(log, committed):
    start, end = log.log_start("orders", 0), log.high_watermark("orders", 0)
    position = start if committed is None else max(committed, start)
    if position >= end:
        raise ValueError("no position in the log")
    values = [record.value for record in log.fetch("orders", 0, position)]
    return values, end, 0 if committed is None else position - committed

"""Reads everything again, to be on the safe side."""

REASON = "some are old ones"


def answer(log, committed):
    start = log.log_start("orders", 0)
    missed = 0 if committed is None else max(0, start - committed)
    return [record.value for record in log.fetch("orders", 0, start)], log.high_watermark("orders", 0), missed

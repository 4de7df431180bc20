"""Begins at offset 0 when nothing is committed, whatever was deleted."""

REASON = "Ask the log where it starts now"


def answer(log, committed):
    values = [record.value for record in log.fetch("orders", 0, committed or 0)]
    return values, log.high_watermark("orders", 0), 0

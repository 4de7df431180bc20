# Plausible: right for a log without gaps.
"""Takes the position for a count of records."""

REASON = "Offsets are no count of records"


def answer(log, committed):
    start = log.log_start("orders", 0)
    position = start if committed is None else max(committed, start)
    values = [record.value for record in log.fetch("orders", 0, position)]
    return values, position + len(values), 0 if committed is None else position - committed

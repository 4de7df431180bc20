"""Goes on at the log start, and says nothing about what it missed."""

REASON = "it says that 0 records were missed, and it is 2"


def answer(log, committed):
    position = max(committed or 0, log.log_start("orders", 0))
    return [record.value for record in log.fetch("orders", 0, position)], log.high_watermark("orders", 0), 0

REASON = "skips"


def answer(done):
    return {record.partition: min(record.offset + 2, 3) for record in done}

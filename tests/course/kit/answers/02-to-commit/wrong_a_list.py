REASON = "from partition to offset"


def answer(done):
    return [(record.partition, record.offset + 1) for record in done]

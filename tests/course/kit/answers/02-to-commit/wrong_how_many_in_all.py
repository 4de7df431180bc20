REASON = "which is not there"


def answer(done):
    return {record.partition: len(done) for record in done}

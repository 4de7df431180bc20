REASON = "reads coffee again"


def answer(done):
    positions = {0: 0, 1: 0, 2: 0}
    for record in done:
        positions[record.partition] = record.offset + 1
    return positions

REASON = "again"


def answer(done):
    return {done[-1].partition: done[-1].offset + 1} if done else {}

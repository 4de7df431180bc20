REASON = "Two pushers, and nothing goes wrong"


def answer(queue, value, index):
    queue.push_at(value, index)
    return True

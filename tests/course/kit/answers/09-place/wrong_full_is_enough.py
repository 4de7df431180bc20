REASON = "Two pushers, and nothing goes wrong"


def answer(queue, value, index):
    return queue.push_at(value, index) or queue.read(index)[0]

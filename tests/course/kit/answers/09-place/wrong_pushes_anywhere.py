REASON = "Two pushers, and one reply is lost"


def answer(queue, value, index):
    if queue.read(index) != (True, value):
        queue.push(value)
    return True

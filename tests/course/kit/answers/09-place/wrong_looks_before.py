REASON = "one request is late"


def answer(queue, value, index):
    found, held = queue.read(index)
    return held == value if found else queue.push_at(value, index)

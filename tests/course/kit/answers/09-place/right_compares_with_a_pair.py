def answer(queue, value, index):
    return any((queue.push_at(value, index), queue.read(index) == (True, value)))

REASON = "One pusher that dies once: After this schedule 'a1' is in the queue 2 times"


def answer(queue, value, index):
    return queue.push_at(value, index)

from exactly_once.lockfree import Queue

REASON = "One crash: after this schedule ['one', 1] is in the queue 2 times"


def answer(registers, name, message, since):
    queue = Queue(registers, name)
    while True:
        index = queue.next_index()
        if queue.push_at_idempotent(message, index):
            return index

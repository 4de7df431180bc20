from exactly_once.course.kit import gap


def push_at_idempotent(queue, value, index):
    ### BEGIN SOLUTION
    if queue.push_at(value, index):
        return True
    found, held = queue.read(index)
    return held == value
    ### END SOLUTION


placing = gap("09-place", push_at_idempotent)
placing

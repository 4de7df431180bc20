from exactly_once.course.kit import gap


def elect(in_sync, alive, ends):
    ### BEGIN SOLUTION
    for broker in in_sync:
        if broker in alive:
            return broker
    return None
    ### END SOLUTION


filled = gap("02-elect", elect)
filled

from exactly_once.course.kit import gap


def nothing_lost(acknowledged, leader):
    ### BEGIN SOLUTION
    if leader is None:
        return True
    return all(leader[offset : offset + 1] == [value] for offset, value in acknowledged)
    ### END SOLUTION


filled = gap("02-nothing-lost", nothing_lost)
filled

from exactly_once.course.kit import gap


def audit(acknowledged, readable):
    ### BEGIN SOLUTION
    lost = [number for number in acknowledged if number not in readable]
    doubled = sorted({number for number in readable if readable.count(number) > 1})
    return lost, doubled
    ### END SOLUTION


filled = gap("02-audit", audit)
filled

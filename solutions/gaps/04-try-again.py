from exactly_once.course.kit import gap
from exactly_once.errors import OutcomeUnknown


def try_again(increment):
    ### BEGIN SOLUTION
    try:
        increment()
    except OutcomeUnknown:
        increment()
    ### END SOLUTION


filled = gap("04-try-again", try_again)
filled

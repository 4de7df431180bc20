from exactly_once.errors import OutcomeUnknown


def try_again(increment, times=3):
    try:
        increment()
    except OutcomeUnknown:
        if times > 1:
            try_again(increment, times - 1)


answer = try_again

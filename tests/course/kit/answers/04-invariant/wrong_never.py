REASON = "It says no"


def answer(view):
    return False

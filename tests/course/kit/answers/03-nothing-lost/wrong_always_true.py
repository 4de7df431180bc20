REASON = "a record is lost"


def answer(view):
    return True

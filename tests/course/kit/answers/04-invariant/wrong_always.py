REASON = "doubles an average"


def answer(view):
    return True

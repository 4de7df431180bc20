REASON = "The promise is kept so far"


def answer(view):
    return list(view.outputs) == [1, 2, 3, 4]

REASON = "record 4 is lost"


def answer(view):
    return list(view.outputs) == [1, 2, 3, 4][: len(view.outputs)]

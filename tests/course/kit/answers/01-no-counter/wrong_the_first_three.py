REASON = "there is a path"


def answer(run):
    return (0, 1, 2)

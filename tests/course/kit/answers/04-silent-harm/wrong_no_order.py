REASON = "names each of output, counter, state, positions once"


def answer():
    return ("state", "positions"), "B"

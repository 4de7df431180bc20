REASON = "that of hour 3 is more than once"


def answer():
    return ("output", "counter", "state", "positions"), "D"

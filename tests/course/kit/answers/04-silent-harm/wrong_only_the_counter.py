REASON = "The counter tells"


def answer():
    return ("output", "positions", "state", "counter"), "D"

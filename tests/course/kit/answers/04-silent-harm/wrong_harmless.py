REASON = "does no harm"


def answer():
    return ("state", "output", "counter", "positions"), "A"

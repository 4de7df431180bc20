REASON = "that of hour 3 is missing"


def answer():
    return ("positions", "state", "output", "counter"), "B"

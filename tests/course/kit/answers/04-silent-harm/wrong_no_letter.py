REASON = "The letter is 'F'"


def answer():
    return ("state", "output", "counter", "positions"), "F"

def answer():
    return "positions, output, counter, state", "D"

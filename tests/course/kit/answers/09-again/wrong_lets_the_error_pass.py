REASON = "the number is 2, and 1 is right"


def answer(registers, by, who):
    while True:
        version, held = registers.read("number")
        if registers.cas("number", version, [(held or [0])[0] + by]):
            return

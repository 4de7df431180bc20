# Plausible: right as long as nobody repeats anything.
REASON = "One crash: after this schedule ['one', 1] is in the queue 2 times"


def answer(registers, name, message, since):
    index = since
    while not registers.cas(f"{name}.{index}", 0, message):
        index += 1
    return index

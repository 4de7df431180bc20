REASON = "Even when nothing goes wrong: after this schedule the push of ['one', 2] has returned 0"


def answer(registers, name, message, since):
    index = since
    while not registers.cas(f"{name}.{index}", 0, message):
        if (registers.read(f"{name}.{index}")[1] or [""])[0] == message[0]:
            return index
        index += 1
    return index

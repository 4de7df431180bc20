from exactly_once.lockfree.queue import emptied


def answer(registers, name, message, since):
    index = since
    while True:
        version, held = registers.read(f"{name}.{index}")
        if version == 0 and registers.cas(f"{name}.{index}", 0, message):
            return index
        if version == 0:
            continue  # somebody was faster: look what it is
        if held in (message, emptied(message)):
            return index
        index += 1

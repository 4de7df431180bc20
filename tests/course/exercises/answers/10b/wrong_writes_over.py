REASON = "the push of ['one', 1] has returned 0, and that cell does not hold it"


def answer(registers, name, message, since):
    version, _ = registers.read(f"{name}.{since}")
    registers.cas(f"{name}.{since}", version, message)
    return since

# Plausible: an answer that was lost is taken for a refusal.
from exactly_once.errors import OutcomeUnknown
from exactly_once.lockfree.queue import emptied

REASON = "One lost request: after this schedule cell 0 is empty"


def answer(registers, name, message, since):
    index = since
    while True:
        try:
            if registers.cas(f"{name}.{index}", 0, message):
                return index
            if registers.read(f"{name}.{index}")[1] in (message, emptied(message)):
                return index
        except OutcomeUnknown:
            pass
        index += 1

"""The order as text, and a witness that walks through the writes."""


def corrupts_at(order):
    saved = set()
    for letter, write in zip("BCD", order, strict=False):
        saved.add(write)
        if len(saved & {"state", "positions"}) == 1:
            return letter
    return None


answer = {"order": "counter, positions, state, output", "corrupts_at": corrupts_at}

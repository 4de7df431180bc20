# Plausible: the step as a place needs no look.
REASON = "a cell of shipments is empty, and a later one is full"


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    step = sum(positions.values())
    return ["WRITING", state, positions, messages, [step for _ in messages]]

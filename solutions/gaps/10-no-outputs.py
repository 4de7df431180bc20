from exactly_once.course.kit import gap


def next_stage(state, positions, outputs, k):
    # The article's: return ["PREPARING", state, positions, outputs, k], whatever they are.
    ### BEGIN SOLUTION
    while k < len(outputs) and outputs[k] is None:
        k += 1
    if k == len(outputs):
        return ["HANDLING", state, positions]
    return ["PREPARING", state, positions, outputs, k]
    ### END SOLUTION


none = gap("10-no-outputs", next_stage)
none

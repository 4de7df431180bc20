def answer(view):
    if not view.done:
        return True
    missing = [number for number in (1, 2, 3) if number not in view.outputs]
    return not missing or f"lost: {missing}"

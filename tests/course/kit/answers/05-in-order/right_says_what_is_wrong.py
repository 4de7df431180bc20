def answer(view):
    there = list(view.outputs)
    for place, value in enumerate(there):
        if value != place + 1:
            return f"{value} stands at place {place}"
    return len(there) == 4 or not view.done or "something is lost"

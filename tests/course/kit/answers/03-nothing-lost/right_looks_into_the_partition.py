def answer(view):
    found = {value for _, _, value, _ in view.look("log", "readings", "partition")}
    return len(found) == 3 if view.done else True

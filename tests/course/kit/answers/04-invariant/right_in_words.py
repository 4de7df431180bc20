def answer(view):
    for number, value in enumerate(view.outputs):
        if value in view.outputs[:number]:
            return f"{value} is there twice"
    return True

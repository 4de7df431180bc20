REASON = "each is (source, target, amount)"


def answer():
    return [("a", "b"), ("b", "c"), ("c", "a")]

def answer():
    return (("c", "b", 5), ("b", "a", 2), ("a", "c", 9))

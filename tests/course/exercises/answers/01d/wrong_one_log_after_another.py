"""A receipt whose send is in a later log finds nothing."""

REASON = "fails with KeyError"


def answer(logs):
    carried, noted = {}, []
    for process, log in logs.items():
        clock = 0
        for kind, message in log:
            clock = (max(clock, carried[message]) if kind == "receive" else clock) + 1
            if kind == "send":
                carried[message] = clock
            noted.append((clock, process))
    return sorted(noted)

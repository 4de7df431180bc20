"""A message that is not stamped yet counts as 0."""

REASON = "The stamps are not those of the three rules"


def answer(logs):
    carried, noted = {}, []
    for process, log in logs.items():
        clock = 0
        for kind, message in log:
            clock = (max(clock, carried.get(message, 0)) if kind == "receive" else clock) + 1
            if kind == "send":
                carried[message] = clock
            noted.append((clock, process))
    return sorted(noted)

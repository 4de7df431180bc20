# Plausible: right for one process.
"""Process by process."""

REASON = "The stamps are right, and the order is not"


def answer(logs):
    at, clocks, carried, noted = dict.fromkeys(logs, 0), dict.fromkeys(logs, 0), {}, []
    before = -1
    while len(noted) > before:
        before = len(noted)
        for process, log in logs.items():
            while at[process] < len(log):
                kind, message = log[at[process]]
                if kind == "receive" and message not in carried:
                    break
                at[process] += 1
                clocks[process] = max(clocks[process], carried[message] if kind == "receive" else 0) + 1
                if kind == "send":
                    carried[message] = clocks[process]
                noted.append((clocks[process], process))
    return sorted(noted, key=lambda pair: pair[::-1])

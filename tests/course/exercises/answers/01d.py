"""Answers to the exercise 01d."""

from tests.course.answers import Answers

answers = Answers("01d")

# Each stamp asked of its causes.
answers.right("by recursion").code("""
    def answer(logs):
        sends = {
            message: (process, number)
            for process, log in logs.items()
            for number, (kind, message) in enumerate(log)
            if kind == "send"
        }

        def stamp(process, number):
            if number < 0:
                return 0
            kind, message = logs[process][number]
            causes = [stamp(process, number - 1)]
            if kind == "receive":
                causes.append(stamp(*sends[message]))
            return max(causes) + 1

        found = [(stamp(process, number), process) for process in logs for number in range(len(logs[process]))]
        return sorted(found, key=lambda pair: (pair[0], pair[1]))
""")

# Round and round the logs, until nothing is left.
answers.right("round and round").code("""
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
        return sorted(noted)
""")

# The history of the library does it all.
answers.right("with the library").code("""
    def answer(logs):
        from exactly_once.clocks import Event, History

        rows = [[Event(process, kind, message) for kind, message in log] for process, log in logs.items()]
        history = History.merge(rows)
        return [[history.lamport[place], history[place].process] for place in history.total_order()]
""")

# Process by process. Plausible: right for one process.
answers.plausible(
    "by process",
    ("sorted(noted)", "sorted(noted, key=lambda pair: pair[::-1])"),
    of="round and round",
    reason="The stamps are right, and the order is not",
)

# Sorted by stamp alone. Plausible: right until two stamps are equal.
answers.plausible(
    "ties as they come",
    ("sorted(noted)", "sorted(noted, key=lambda pair: pair[0])"),
    of="round and round",
    reason="Where stamps are equal, the process's name decides",
)

# A receipt whose send is in a later log finds nothing.
answers.wrong(
    "one log after another",
    (".get(message, 0)", "[message]"),
    of="unknown counts as nothing",
    reason="fails with KeyError",
)

# One round over the logs: what had to wait is lost.
answers.wrong(
    "receipts left waiting",
    ("while len(noted) > before:", "if len(noted) > before:"),
    of="round and round",
    reason="each comes once, with its process",
)

# Stamps alone.
answers.wrong(
    "stamps without processes",
    ("sorted(noted)", "[stamp for stamp, _ in sorted(noted)]"),
    of="round and round",
    reason="it should give a list of pairs",
)

# Each process counts its own events.
answers.wrong("own counters", reason="The stamps are not those of the three rules").code("""
    def answer(logs):
        return sorted((number, process) for process, log in logs.items() for number, _ in enumerate(log, 1))
""")

# A message that is not stamped yet counts as 0.
answers.wrong("unknown counts as nothing", reason="The stamps are not those of the three rules").code("""
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
""")

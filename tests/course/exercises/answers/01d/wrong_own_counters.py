"""Each process counts its own events."""

REASON = "The stamps are not those of the three rules"


def answer(logs):
    return sorted((number, process) for process, log in logs.items() for number, _ in enumerate(log, 1))

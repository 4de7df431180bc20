"""Compares both ends of the two batches, as Kafka's code does."""


def end(first, count):
    return (first + count - 1) & 0x7FFFFFFF


def answer(last, first, count):
    if last is not None and (first, end(first, count)) == (last[0], end(*last)):
        return "duplicate"
    wanted = first if last is None else (end(*last) + 1) & 0x7FFFFFFF
    return "accept" if wanted == first else "refuse"

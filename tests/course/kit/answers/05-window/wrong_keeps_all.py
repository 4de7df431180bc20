REASON = "Kafka's broker keeps five"


def answer(batches, first, last):
    return next((offset for one, other, offset in batches if (one, other) == (first, last)), None)

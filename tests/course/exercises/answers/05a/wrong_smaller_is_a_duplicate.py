# Plausible: right for records one by one, as long as numbers do not go around.
"""Takes every smaller number for a duplicate, as the article's rule does."""

REASON = "is not the batch numbers 0 to 2, only near it"


def answer(last, first, count):
    if last is None or first == sum(last) % 2**31:
        return "accept"
    return "duplicate" if first < sum(last) else "refuse"

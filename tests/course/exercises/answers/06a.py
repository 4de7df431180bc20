"""Answers to the exercise 06a."""

from tests.course.answers import Answers

answers = Answers("06a")

# One case after another.
answers.right("by matching").code("""
    def answer(request, epoch, known):
        match request, known:
            case "add", None:
                return "INVALID_PRODUCER_ID_MAPPING"
            case "add", _:
                return "PRODUCER_FENCED" if epoch - known else "accept"
            case _, None:
                return "accept"
            case "append", _:
                return "INVALID_PRODUCER_EPOCH" if epoch < known else "accept"
        return "INVALID_PRODUCER_EPOCH" if epoch <= known else "accept"
""")

# Compares with the smallest and the largest epoch that each request may carry.
answers.right("by tables").code("""
    ALLOWED = {
        "append": lambda known: (known, 2**15),
        "add": lambda known: (known, known),
        "marker": lambda known: (known + 1, 2**15),
    }
    UNKNOWN = {"append": "accept", "add": "INVALID_PRODUCER_ID_MAPPING", "marker": "accept"}


    def answer(request, epoch, known):
        if known is None:
            return UNKNOWN[request]
        least, most = ALLOWED[request](known)
        if least <= epoch <= most:
            return "accept"
        return "PRODUCER_FENCED" if request == "add" else "INVALID_PRODUCER_EPOCH"
""")

# Compares all three with ==. Plausible: right wherever nobody has been fenced.
answers.plausible(
    "equal everywhere",
    ("if epoch >= known:", "if epoch == known:"),
    of="not older everywhere",
    reason="carries a higher one than the data",
)

# Compares all three with >=. Plausible: it is the rule for batches.
answers.plausible("not older everywhere", reason="Nobody can have got 1 from it").code("""
    def answer(request, epoch, known):
        if known is None:
            return "INVALID_PRODUCER_ID_MAPPING" if request == "add" else "accept"
        if epoch >= known:
            return "accept"
        return "PRODUCER_FENCED" if request == "add" else "INVALID_PRODUCER_EPOCH"
""")

# Fences at the coordinator alone.
answers.wrong(
    "zombies write",
    ('"accept" if known is None or epoch >= known else "INVALID_PRODUCER_EPOCH"', '"accept"'),
    of="marker of the same epoch",
    reason="is a zombie: its batch would become a part of its successor's transaction",
)

# Refuses a producer's first batch in a partition.
answers.wrong("insists on what it knows", of="marker of the same epoch", reason="this is its first batch").diff("""
    -    return "accept" if known is None or epoch >= known else "INVALID_PRODUCER_EPOCH"
    +    if known is None:
    +        return "INVALID_PRODUCER_EPOCH"
    +    return "accept" if epoch >= known + (request == "marker") else "INVALID_PRODUCER_EPOCH"
""")

# Forgets that nothing may be known.
answers.wrong("compares with none", reason="fails with TypeError").code("""
    def answer(request, epoch, known):
        if request == "add":
            return "accept" if epoch == known else "PRODUCER_FENCED"
        return "accept" if epoch >= known + (request == "marker") else "INVALID_PRODUCER_EPOCH"
""")

# Takes a marker with the epoch of the data, as the classic protocol does.
answers.wrong(
    "marker of the same epoch", reason="it belongs to an earlier transaction, and would end the open one"
).code("""
    def answer(request, epoch, known):
        if request == "add":
            if known is None:
                return "INVALID_PRODUCER_ID_MAPPING"
            return "accept" if epoch == known else "PRODUCER_FENCED"
        return "accept" if known is None or epoch >= known else "INVALID_PRODUCER_EPOCH"
""")

# Has one name for all refusals.
answers.wrong("one name", reason="The coordinator refuses it under another name, PRODUCER_FENCED").code("""
    def answer(request, epoch, known):
        if request == "add":
            return "accept" if epoch == known else "INVALID_PRODUCER_EPOCH"
        if known is None or epoch > known or (request == "append" and epoch == known):
            return "accept"
        return "INVALID_PRODUCER_EPOCH"
""")

# Says True and False.
answers.wrong("says true", reason="say one of 'accept'").code("""
    def answer(request, epoch, known):
        return known is None or epoch >= known
""")

# Lets the coordinator add to a producer that it has never heard of.
answers.wrong("unknown is new", reason="there is no epoch to compare with").code("""
    def answer(request, epoch, known):
        if known is None:
            return "accept"
        if request == "add":
            return "accept" if epoch == known else "PRODUCER_FENCED"
        return "accept" if epoch >= known + (request == "marker") else "INVALID_PRODUCER_EPOCH"
""")

"""Answers to the exercise 08a."""

from tests.course.answers import Answers

answers = Answers("08a")

# Short names first; equal lengths are told apart by the names themselves.
answers.right("by length and then by name").code("""
    def answer(accounts):
        order = []
        for name, _ in sorted(accounts, key=lambda account: (len(account[0]), account[0].lower())):
            if name not in order:
                order.append(name)
        return tuple(order)
""")

# The other way round is an order, too.
answers.right(
    "backwards", ("({name for name, balance in accounts})", "({name for name, _ in accounts}, reverse=True)")
)

# Sorted, and an account that stands there twice is locked twice. Plausible: right for accounts that differ.
answers.plausible(
    "an account twice",
    ("{name for name, balance in accounts}", "name for name, _ in accounts"),
    reason="which it holds itself",
)

# Who pays is locked first. Plausible: right for two movers that move money in the same direction.
answers.plausible("as they come", reason="Deadlock: mover 1").code("""
    def answer(accounts):
        return list(dict.fromkeys(name for name, _ in accounts))
""")

# The poorest first: an order that changes with every transfer. Plausible: right as long as nobody moves any money.
answers.plausible("by balance", reason="Deadlock: mover 1").code("""
    def answer(accounts):
        return list(dict.fromkeys(name for balance, name in sorted((balance, name) for name, balance in accounts)))
""")

# hash() of a text differs from process to process.
answers.wrong(
    "by hash",
    ("({name for name, balance in accounts})", "({name for name, _ in accounts}, key=hash)"),
    reason="In another process the order is another one",
)

# Names of one length stay in the order of the transfer.
answers.wrong(
    "by length alone",
    ("{name for name, balance in accounts}", "dict.fromkeys(name for name, _ in accounts), key=len"),
    reason="Deadlock: mover 1",
)

# Locks the account that pays, and no other.
answers.wrong(
    "only who pays",
    ("sorted({name for name, balance in accounts})", "[accounts[0][0]]"),
    reason="another mover changes that account in the middle",
)

# One lock for all would do, but it is of an account that this transfer does not touch.
answers.wrong("everything", reason="This transfer does not touch ada").code("""
    def answer(accounts):
        return ["ada", *sorted({name for name, _ in accounts} - {"ada"})]
""")

# The order of a set differs from process to process.
answers.wrong("order of a set", reason="In another process the order is another one").code("""
    def answer(accounts):
        return list({name for name, _ in accounts})
""")

# ada before bob, bob before cyd, cyd before ada: with three accounts, one of these is broken.
answers.wrong("scissors and stone", reason="waits for that of ada").code("""
    import functools

    BEATS = [("ada", "bob"), ("bob", "cyd"), ("cyd", "ada"), ("ada", "Dot"), ("bob", "Dot"), ("cyd", "Dot")]


    def answer(accounts):
        names = sorted({name for name, _ in accounts})
        if len(names) == 3 and "Dot" not in names:
            return names
        return sorted(names, key=functools.cmp_to_key(lambda one, other: -1 if (one, other) in BEATS else 1))
""")

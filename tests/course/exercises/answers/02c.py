"""Answers to the exercise 02c."""

from tests.course.answers import Answers

answers = Answers("02c")

# Gives the settings by name, and leaves out what has its default.
answers.right("dictionaries").code("""
    answer = {
        "views": {"acks": 0, "unclean_election": True},
        "clicks": {"acks": 1},
        "orders": {"acks": "all", "min_insync_replicas": 2},
        "ledger": {"acks": "all", "min_insync_replicas": 3, "unclean_election": False},
    }
""")

# Asks for more replicas where the promise holds even so.
answers.right("more than is asked").code("""
    answer = {
        "views": (0, 3, True),
        "clicks": [1, 2, False],
        "orders": ("all", 2, False),
        "ledger": {"acks": "all", "min_insync_replicas": 3},
    }
""")

# Waits for followers where the leader would do. Plausible: right for three of the four streams.
answers.plausible(
    "clicks wait",
    ('"clicks": ("1", 1, False),', '"clicks": ("all", 1, False),'),
    of="word for a number",
    reason="the leader's answer is enough",
)

# Keeps the ledger on as many brokers as may die. Plausible: right for three of the four streams.
answers.plausible(
    "two for two deaths",
    ('"ledger": ("all", 3, True),', '"ledger": ("all", 2, False),'),
    of="unclean for the ledger",
    reason="an entry that was acknowledged is lost with two brokers",
)

# Allows an unclean election of what must not be lost. Plausible: right for three of the four streams; one death
# does no harm.
answers.plausible(
    "unclean for orders",
    reason="orders: an order that was acknowledged is lost, although every disk that had it is whole",
).code("""
    answer = {
        "views": (0, 1, True),
        "clicks": (1, 1, False),
        "orders": ("all", 2, True),
        "ledger": ("all", 3, False),
    }
""")

# Allows an unclean election, since all three replicas have an entry when it is acknowledged. Plausible: right for
# three of the four streams; whoever is elected had every entry.
answers.plausible("unclean for the ledger", reason="although two of three disks are whole").code("""
    answer = {
        "views": (0, 1, True),
        "clicks": (1, 1, False),
        "orders": ("all", 2, False),
        "ledger": ("all", 3, True),
    }
""")

# Forgets that all in-sync replicas can be one.
answers.wrong(
    "all may be one",
    ('"orders": ("all", 2, True),', '"orders": ("all", 1, False),'),
    of="unclean for orders",
    reason="an order that was acknowledged is lost with one broker",
)

# Lets a broker lead that was not in sync.
answers.wrong(
    "clicks forgotten",
    ('"clicks": ("1", 1, False),', '"clicks": (1, 1, True),'),
    of="word for a number",
    reason="what was committed is lost",
)

# Thinks that min.insync.replicas protects what only the leader acknowledged.
answers.wrong(
    "leader alone for orders",
    ('"orders": ("all", 2, True),', '"orders": (1, 2, False),'),
    of="unclean for orders",
    reason="Broker 0 dies for good; broker 1 leads",
)

# Asks for all three where one may be down.
answers.wrong(
    "orders stand still",
    ('"orders": ("all", 2, True),', '"orders": ("all", 3, False),'),
    of="unclean for orders",
    reason="one broker is down and an order is refused",
)

# Leaves views without a leader while a broker lives.
answers.wrong(
    "views stand still",
    ('"views": (1, 1, True),', '"views": (0, 1, False),'),
    of="views wait",
    reason="a broker lives and nobody leads",
)

# Waits for an answer that nobody needs.
answers.wrong("views wait", reason="Here it waits for nobody").code("""
    answer = {
        "views": (1, 1, True),
        "clicks": (1, 1, False),
        "orders": ("all", 2, False),
        "ledger": ("all", 3, False),
    }
""")

# Gives the acks as text.
answers.wrong("word for a number", reason="cks of clicks is '1'; it can be 0, 1, all").code("""
    answer = {
        "views": (0, 1, True),
        "clicks": ("1", 1, False),
        "orders": ("all", 2, False),
        "ledger": ("all", 3, False),
    }
""")

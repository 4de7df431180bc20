"""Answers to the exercise 07a."""

from tests.course.answers import Answers

answers = Answers("07a")

# Lists in place of tuples, in another order.
answers.right("lists").code("""
    answer = {
        "mail": ["after", "at least once"],
        "map": ["after", "as if once"],
        "ledger": ["two phases", "exactly once"],
        "table": ["beside", "exactly once"],
    }
""")

# Two phases for the table as well, and an e-mail rather lost than sent twice.
answers.right("mail at most once").code("""
    answer = {
        "table": ("two phases", "exactly once"),
        "ledger": ("two phases", "exactly once"),
        "map": ("after", "as if once"),
        "mail": ("before", "at most once"),
    }
""")

# Keeps a position in another team's ledger. Plausible: three of the four are right.
answers.plausible(
    "beside in the ledger",
    ("two phases", "beside"),
    ('("after", "exactly once"),', '("after", "as if once"),'),
    of="map once",
    reason="nothing of yours can be kept",
)

# An e-mail that is sent once for sure. Plausible: three of the four are right.
answers.plausible(
    "mail once",
    ('"table": ("two phases", "exactly once"),', '"table": ("beside", "exactly once"),'),
    ('before", "at most', 'after", "exactly'),
    of="mail at most once",
    reason="is too much",
)

# Content with at-least-once where more can be had.
answers.wrong(
    "content with less",
    ('"table": ("two phases", "exactly once"),', '"table": ("after", "at least once"),'),
    ('before", "at most', 'after", "at least'),
    of="mail at most once",
    reason="promises more",
)

# Saves the position first, and promises that nothing is lost.
answers.wrong(
    "position first",
    ('"table": ("two phases", "exactly once"),', '"table": ("before", "at least once"),'),
    ('before", "at most', 'after", "at least'),
    of="mail at most once",
    reason="is too much",
)

# Prepares an e-mail.
answers.wrong(
    "prepared mail",
    ('"table": ("two phases", "exactly once"),', '"table": ("beside", "exactly once"),'),
    ('before", "at most', 'two phases", "exactly'),
    of="mail at most once",
    reason="cannot be prepared",
)

# Promises less than its place keeps.
answers.wrong(
    "too modest",
    ('"table": ("two phases", "exactly once"),', '"table": ("beside", "at least once"),'),
    ('before", "at most', 'after", "at least'),
    of="mail at most once",
    reason="so is more than that",
)

# Takes overwriting for writing once.
answers.wrong("map once", reason="is too much").code("""
    answer = {
        "table": ("beside", "exactly once"),
        "ledger": ("two phases", "exactly once"),
        "map": ("after", "exactly once"),
        "mail": ("after", "at least once"),
    }
""")

"""Answers to the exercise 05c."""

from tests.course.answers import Answers

answers = Answers("05c")

# What becomes of the batch that is sent alone: it is the newest one.
answers.right("alone").code("""
    answer = {
        "doubles": ("connection", "c"),
        "log": "abcdefcdef",
        "expires": ("too few replicas", "d"),
        "harmless": ("connection", "a"),
    }
""")

# The mishaps as lists.
answers.right("lists").code("""
    answer = {
        "doubles": ["connection", "b"],
        "log": "abcdefbcdef",
        "expires": ["too few replicas", "b"],
        "harmless": ["connection", "f"],
    }
""")

# Another loss of the connection, and a mishap by which nothing is in the log that should not be.
answers.right("nothing was written").code("""
    answer = {
        "doubles": ("connection", "e"),
        "log": "abcdefef",
        "expires": ("too few replicas", "c"),
        "harmless": ("not written", "b"),
    }
""")

# Works the log out from the batch with which the lost answers begin.
answers.right("worked out").code("""
    BATCHES = "abcdef"
    lost_from = "d"

    answer = {
        "doubles": ("connection", lost_from),
        "log": BATCHES + BATCHES[BATCHES.index(lost_from) :],
        "expires": ("too few replicas", "e"),
        "harmless": ("too few replicas", "f"),
    }
""")

# Lets Java send the refused batch again, and no other. Plausible: right but for the log.
answers.plausible(
    "doubles alone",
    ('"log": "b is there twice",', '"log": "abcdefb",'),
    of="words",
    reason="numbers all batches in flight anew",
)

# Lets a batch expire though nothing behind it was acknowledged. Plausible: right but for what expires.
answers.plausible(
    "expires with the connection",
    ('not written", "b', 'connection", "c'),
    of="refused is lost",
    reason="expires: with the answer to c those behind it are lost, too",
)

# Trusts the numbers. Plausible: right but for the log.
answers.plausible(
    "nothing doubled", ('"log": "b is there twice",', '"log": "abcdef",'), of="words", reason="Java bumps the epoch"
)

# Reckons with the whole window of five, which the restart has cut down to one. Plausible: right but for the
# harmless one.
answers.plausible(
    "harmless window",
    ('not written", "b', 'too few replicas", "c'),
    ('connection", "f', 'too few replicas", "b'),
    of="refused is lost",
    reason="harmless: after the error NotEnoughReplicasAfterAppend for b, a batch that is in the log expires",
)

# Lets the new copies stand in place of the old ones.
answers.wrong(
    "left out",
    ('("connection", "b"),', '("connection", "c"),'),
    ('"log": "b is there twice",', '"log": "abdef",'),
    of="words",
    reason="you left out c",
)

# Lets each copy stand behind its first.
answers.wrong(
    "order",
    ('("connection", "b"),', '("connection", "e"),'),
    ('"log": "b is there twice",', '"log": "abcdeeff",'),
    of="words",
    reason="stand behind all others",
)

# Bumps the epoch whenever a number is refused.
answers.wrong("bumps always", reason="doubles: b is refused, and not written again").code("""
    answer = {
        "doubles": ("too few replicas", "b"),
        "log": "abcdefb",
        "expires": ("connection", "b"),
        "harmless": ("connection", "f"),
    }
""")

# Forgets that the snapshot keeps the newest batch.
answers.wrong("newest doubles", reason="doubles: When f comes again, it is the newest batch").code("""
    answer = {
        "doubles": ("connection", "f"),
        "log": "abcdeff",
        "expires": ("too few replicas", "b"),
        "harmless": ("not written", "b"),
    }
""")

# Takes a batch that was not written for one that expires.
answers.wrong("refused is lost", reason="expires: b is not in the log when it comes again").code("""
    answer = {
        "doubles": ("connection", "b"),
        "log": "abcdefbcdef",
        "expires": ("not written", "b"),
        "harmless": ("connection", "f"),
    }
""")

# Writes words in place of batches.
answers.wrong("words", reason="write the batches in the log in order").code("""
    answer = {
        "doubles": ("connection", "b"),
        "log": "b is there twice",
        "expires": ("too few replicas", "b"),
        "harmless": ("connection", "f"),
    }
""")

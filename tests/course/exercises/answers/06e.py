"""Answers to the exercise 06e."""

from tests.course.answers import Answers

answers = Answers("06e")

# Another trouble that makes waiting necessary, without the death of an incarnation.
answers.right("another trouble").code("""
    answer = {
        "position": "nothing",
        "prepare": "server",
        "markers": "nothing",
        "stable": "nothing",
        "new incarnation": "pause",
        "waiting": "late",
        "new transaction": "late",
        "asking": "none",
    }
""")

# Names the lines by their troubles.
answers.right("in groups").code("""
    TROUBLES = {
        "nothing": ["position", "markers", "stable"],
        "death": ["waiting"],
        "pause": ["new incarnation"],
        "server": ["prepare"],
        "late": ["new transaction"],
        "none": ["asking"],
    }

    answer = {line: trouble for trouble, lines in TROUBLES.items() for line in lines}
""")

# Takes waiting for a protection against zombies. Plausible: right for seven of the eight lines.
answers.plausible(
    "waiting against zombies",
    ('"waiting": "late",', '"waiting": "pause",'),
    of="another trouble",
    reason="Without 'waiting' a lesser trouble than 'pause' is enough (death)",
)

# Has the leader ask because of late requests. Plausible: right for seven of the eight lines.
answers.plausible(
    "asks for late requests",
    ('"waiting": "late",', '"waiting": "death",'),
    ('"asking": "none",', '"asking": "late",'),
    of="another trouble",
    reason="Without 'asking' nothing breaks in this trouble (late)",
)

# Thinks that the epoch of init is enough. Plausible: right for seven of the eight lines.
answers.plausible(
    "epoch is not needed",
    ('"waiting": "late",', '"waiting": "death",'),
    ('"new transaction": "late",', '"new transaction": "none",'),
    of="another trouble",
    reason="Without 'new transaction' the protocol breaks (late)",
)

# Takes a dead life for as dangerous as a stalled one. Plausible: right for seven of the eight lines.
answers.plausible(
    "no pause",
    ('"new incarnation": "pause",', '"new incarnation": "death",'),
    ('"waiting": "late",', '"waiting": "death",'),
    of="another trouble",
    reason="Without 'new incarnation' nothing breaks in this trouble (death)",
)

# Has PrepareCommit protect from deaths of the program. Plausible: right for seven of the eight lines.
answers.plausible(
    "prepare for the program",
    ('"prepare": "server",', '"prepare": "death",'),
    ('"waiting": "late",', '"waiting": "death",'),
    of="another trouble",
    reason="Without 'prepare' nothing breaks in this trouble (death)",
)

# Thinks that a marker matters only after a death.
answers.wrong(
    "markers against crashes",
    ('"markers": "nothing",', '"markers": "server",'),
    ('"waiting": "late",', '"waiting": "death",'),
    of="another trouble",
    reason="a lesser trouble than 'server' is enough (nothing)",
)

# Puts the position beside the transaction, as chapter 04 does, and waits for a death.
answers.wrong(
    "position beside",
    ('"position": "nothing",', '"position": "death",'),
    ('"waiting": "late",', '"waiting": "death",'),
    of="another trouble",
    reason="a lesser trouble than 'death' is enough (nothing)",
)

# Says yes and no.
answers.wrong(
    "words",
    ('"waiting": "late",', '"waiting": "death",'),
    ('"asking": "none",', '"asking": "no",'),
    of="another trouble",
    reason="say one of 'nothing'",
)

# Needs every line on the best of days.
answers.wrong("all at once", reason="the explorer went through all").code("""
    answer = {
        "position": "nothing",
        "prepare": "nothing",
        "markers": "nothing",
        "stable": "nothing",
        "new incarnation": "nothing",
        "waiting": "nothing",
        "new transaction": "nothing",
        "asking": "nothing",
    }
""")

# Leaves a line out.
answers.wrong("seven lines", reason="it is a dictionary with").code("""
    answer = {"position": "nothing"}
""")

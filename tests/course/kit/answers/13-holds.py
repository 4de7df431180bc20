"""Answers to the gap 13-holds."""

from tests.course.answers import Answers

ENDS = 'if state in ("Ongoing", "PrepareCommit", "PrepareAbort") else "hanging"'
answers = Answers("13-holds")

answers.right("the states at the top").code("""
    ENDS = {"Ongoing", "PrepareCommit", "PrepareAbort"}


    def answer(position, last_stable, high_watermark, state):
        if position < last_stable:
            return "behind"
        if last_stable == high_watermark:
            return "caught up"
        return "open" if state in ENDS else "hanging"
""")
answers.right(
    "by the word",
    (
        'state in ("Ongoing", "PrepareCommit", "PrepareAbort")',
        'state == "Ongoing" or (state or "").startswith("Prepare")',
    ),
)
answers.wrong("the state first", reason="it could read more now").code("""
    def answer(position, last_stable, high_watermark, state):
        if position == high_watermark:
            return "caught up"
        if state is None:
            return "behind"
        return "open" if state in ("Ongoing", "PrepareCommit", "PrepareAbort") else "hanging"
""")
answers.wrong(
    "prepared ones hang",
    ('in ("Ongoing", "PrepareCommit", "PrepareAbort")', '== "Ongoing"'),
    reason="'PrepareCommit') returns 'hanging'",
)
answers.wrong(
    "complete ones end",
    (
        '"open" if state in ("Ongoing", "PrepareCommit", "PrepareAbort") else "hanging"',
        '"open" if state else "hanging"',
    ),
    reason="'CompleteAbort') returns 'open'",
)
answers.wrong(
    "by the high watermark", ("position < last_stable", "position < high_watermark"), reason="returns 'behind'"
)
answers.wrong(
    "never hanging",
    (ENDS, ""),
    reason="knows of no such open transaction",
)
answers.wrong("other words", ('        return "caught up"', '        return "done"'), reason="return one of")

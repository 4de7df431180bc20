"""Answers to the exercise 12c."""

from tests.course.answers import Answers

answers = Answers("12c")

# A sink that goes by the batch id would keep the first copy of a row that is another one each time.
answers.right(
    "the sink is named", ('"groups": "same rows"', '"groups": "sink"'), ('"loaded": "same rows"', '"loaded": "sink"')
)

# The report could read what another sink writes.
answers.right("a table in place of files", ('"files": "reader"', '"files": "sink"'))

answers.plausible("the sink is to blame", ('"socket": "replay"', '"socket": "sink"'), reason="dies at A of batch 0")

answers.plausible("a clock does no harm", ('"loaded": "same rows"', '"loaded": "none"'), reason="doubled [1, 2]")

answers.wrong("nobody dies", ('"shared": "own"', '"shared": "none"'), reason="though nobody dies")

answers.wrong("a merge is suspected", ('"merge": "none"', '"merge": "sink"'), reason="nothing is broken")

answers.wrong("append by a good source", ('"append": "sink"', '"append": "replay"'), reason="doubled [1, 2]")

answers.wrong("ids are enough", ('"fresh": "kept"', '"fresh": "sink"'), reason="lost [3, 4, 5, 6]")

answers.wrong("files are committed", ('"files": "reader"', '"files": "none"'), reason="'files': something is broken")

answers.wrong("kept is not own", ('"shared": "own"', '"shared": "kept"'), reason="broken all the same")

answers.wrong(
    "a word of its own", ('"append": "sink"', '"append": "append"'), reason="Append is 'append'; give one of"
)

answers.wrong("two of eight", reason="it is a dictionary with").code("""
    answer = {"socket": "replay", "append": "sink"}
""")

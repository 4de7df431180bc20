"""Answers to the gap 05-accept."""

from tests.course.answers import Answers

answers = Answers("05-accept")

answers.right("by a dictionary").code("""
    def answer(batches, first, last):
        known = {(one, other): offset for one, other, offset in batches[-5:]}
        if (first, last) in known:
            return known[first, last]
        wanted = batches[-1][1] + 1 if batches else first
        return "append" if first == wanted else "out of order"
""")

answers.wrong("any overlap", reason="a part of a batch is another batch").code("""
    def answer(batches, first, last):
        for one, other, offset in batches[-5:]:
            if one <= first and last <= other:
                return offset
        return "append" if not batches or first == batches[-1][1] + 1 else "out of order"
""")

answers.wrong(
    "first number alone",
    ("one <= first and last <= other", "one == first"),
    of="any overlap",
    reason="ends with another",
)

answers.wrong(
    "keeps all",
    ("batches[-5:]", "batches"),
    ("one <= first and last <= other", "(one, other) == (first, last)"),
    of="any overlap",
    reason="Kafka's broker keeps five",
)

answers.wrong(
    "the oldest five",
    ("batches[-5:]", "batches[:5]"),
    ("one <= first and last <= other", "(one, other) == (first, last)"),
    of="any overlap",
    reason="This is the newest batch",
)

answers.wrong(
    "insists on zero",
    ("wanted = batches[-1][1] + 1 if batches else first", "wanted = batches[-1][1] + 1 if batches else 0"),
    of="by a dictionary",
    reason="any first number is accepted",
)

answers.wrong(
    "counts batches",
    ("batches[-1][1] + 1 if batches else first", "len(batches) if batches else first"),
    of="by a dictionary",
    reason="Number 10 is the next one",
)

answers.wrong(
    "offsets for numbers",
    ("batches[-1][1] + 1", "batches[-1][2] + batches[-1][1] - batches[-1][0] + 1"),
    of="by a dictionary",
    reason="the offset does not matter",
)

answers.wrong("the article's rule", reason="its offset is 0").code("""
    def answer(batches, first, last):
        if not batches or first == batches[-1][1] + 1:
            return "append"
        return "out of order" if first > batches[-1][1] else "duplicate"
""")

answers.wrong("nought is nothing", reason="its offset is 0").code("""
    def answer(batches, first, last):
        known = {(one, other): offset for one, other, offset in batches[-5:]}
        if offset := known.get((first, last)):
            return offset
        return "append" if not batches or first == batches[-1][1] + 1 else "out of order"
""")

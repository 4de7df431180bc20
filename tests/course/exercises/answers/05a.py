"""Answers to the exercise 05a."""

from tests.course.answers import Answers

answers = Answers("05a")

# Sorts the headers by producer first, and takes the smallest offset that is wrong.
answers.right("by producer").code("""
    from itertools import pairwise


    def answer(headers):
        wrong = []
        for producer in {header[1] for header in headers} - {None}:
            mine = [header for header in headers if header[1] == producer]
            for (_, _, epoch, first, count), (offset, _, then, number, _) in pairwise(mine):
                follows = number == (first + count) & 0x7FFFFFFF if then == epoch else then > epoch and number == 0
                if not follows:
                    wrong.append(offset)
        return min(wrong, default=None)
""")

# Keeps the last header of each producer, and walks on number by number.
answers.right("keeps the last header").code("""
    def answer(headers):
        last = dict()
        for header in headers:
            if header[1] is not None:
                before = last.get(header[1])
                if before is not None:
                    expected = 0
                    if header[2] == before[2]:
                        expected = before[3] + before[4]
                        if expected > 2147483647:
                            expected -= 2147483648
                    if header[2] < before[2] or header[3] != expected:
                        return header[0]
                last[header[1]] = header
""")

# Forgets that the numbers go around. Plausible: right for the first 2,147,483,647 records.
answers.plausible(
    "without the largest", ("(first + count) % 2**31", "first + count"), reason="After 2147483647 comes 0"
)

# Takes no newer epoch. Plausible: right while no client begins one.
answers.plausible(
    "one epoch", ("if epoch > known:\n            wanted = 0", "pass"), reason="It begins epoch 1 of producer 7"
)

# Does not look at older epochs. Plausible: right while no old process writes.
answers.plausible("lets old epochs write", reason="is older than epoch 1").code("""
    def answer(headers):
        last = {}
        for offset, producer, epoch, first, count in headers:
            if producer is None:
                continue
            known, wanted = last.get(producer, (epoch, first))
            if epoch < known:
                continue
            if epoch > known:
                wanted = 0
            if first != wanted:
                return offset
            last[producer] = epoch, (first + count) % 2**31
        return None
""")

answers.wrong(
    "one sequence for all",
    ("last.get(producer,", "last.get(0,"),
    ("last[producer]", "last[0]"),
    reason="It is the first batch of producer 9",
)

answers.wrong("counts batches", ("(first + count)", "(first + 1)"), reason="is producer 7's next one")

answers.wrong("insists on zero", ("(epoch, first))", "(epoch, 0))"), reason="may have been deleted")

answers.wrong("any number in a new epoch", ("wanted = 0", "wanted = first"), reason="next number in epoch 1 was 0")

answers.wrong(
    "checks batches without numbers",
    ("if producer is None:\n            continue", "pass"),
    reason="A batch without a producer has no numbers",
)

answers.wrong(
    "returns the batch's place",
    ("return offset", "return len(last)"),
    reason="return the offset of a batch",
)

answers.wrong("tells yes or no", ("return offset", "return True"), reason="return the offset of a batch")

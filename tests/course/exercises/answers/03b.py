"""Answers to the exercise 03b."""

from tests.course.answers import Answers

answers = Answers("03b")

# Goes behind the last record of those that are finished without a hole, and so stops before a gap, not after it.
answers.right("behind the last of the prefix").code("""
    import itertools


    def answer(began, handed_out, finished):
        whole = list(itertools.takewhile(finished.__contains__, handed_out))
        return whole[-1] + 1 if whole else began
""")

# Keeps two heaps, as libraries for parallel consumers do.
answers.right("takes them off a heap").code("""
    import heapq


    def answer(began, handed_out, finished):
        waiting, done = list(handed_out), list(finished)
        heapq.heapify(waiting)
        heapq.heapify(done)
        while waiting and done and waiting[0] == done[0]:
            heapq.heappop(done)
            began = heapq.heappop(waiting) + 1
        return began
""")

# Takes the smallest offset that is not finished.
answers.right("the first that is missing").code("""
    def answer(began, handed_out, finished):
        open_ones = set(handed_out) - set(finished)
        return min(open_ones, default=handed_out[-1] + 1 if handed_out else began)
""")

# Looks for each offset in turn, and stands still before a gap for ever. Plausible: right in any order, if the
# offsets have no gaps.
answers.plausible("counts the prefix", reason="would be done again without need").code("""
    def answer(began, handed_out, finished):
        while began in finished:
            began += 1
        return began
""")

# Counts the finished records, as if offsets had no gaps and no order. Plausible: right while the workers finish in
# order and the offsets have no gaps.
answers.plausible("counts them", reason="a worker still has the record at offset 0").code("""
    def answer(began, handed_out, finished):
        return began + len(finished)
""")

# Saves the position behind the record that was finished last. Plausible: right while the workers finish in order.
answers.plausible("the last that finished", reason="a worker still has the record at offset 0").code("""
    def answer(began, handed_out, finished):
        return finished[-1] + 1 if finished else began
""")

# Fails when nothing was handed out.
answers.wrong("nothing handed out", reason="it fails with IndexError").code("""
    def answer(began, handed_out, finished):
        waiting = set(handed_out) - set(finished)
        return min(waiting) if waiting else handed_out[-1] + 1
""")

# Takes the greatest offset that is finished.
answers.wrong("the furthest", reason="a worker still has the record at offset 0").code("""
    def answer(began, handed_out, finished):
        return max(finished, default=began - 1) + 1
""")

# Saves the offset of the last record that is done, not of the next one.
answers.wrong(
    "the last one done", reason="all records before 1 are finished. After a crash the record at offset 0"
).code("""
    def answer(began, handed_out, finished):
        for before, offset in zip([began, *handed_out], handed_out, strict=False):
            if offset not in finished:
                return before
        return handed_out[-1] if handed_out else began
""")

# Saves when all are finished, and otherwise nothing new: a slow record has all the others repeated.
answers.wrong("waits for all", reason="all records before 1 are finished").code("""
    def answer(began, handed_out, finished):
        done = handed_out and set(handed_out) == set(finished)
        return handed_out[-1] + 1 if done else began
""")

# Saves what poll has moved to, as enable.auto.commit does.
answers.wrong("what was handed out", reason="never has its effect").code("""
    def answer(began, handed_out, finished):
        return handed_out[-1] + 1 if handed_out else began
""")

# Takes offset 0 for nothing.
answers.wrong("zero is false", reason="it says 1, but a worker still has the record at offset 0").code("""
    def answer(began, handed_out, finished):
        first = min(set(handed_out) - set(finished), default=None)
        return first or (handed_out[-1] + 1 if handed_out else began)
""")

"""Answers to the gap 14-sure."""

from tests.course.answers import Answers

answers = Answers("14-sure")

answers.right("by the sides").code("""
    def answer(rounds, case, base):
        sides = {(one[case] > one[base]) - (one[case] < one[base]) for one in rounds}
        if len(rounds) < 6 or len(sides) > 1:
            return "not sure"
        return {-1: "less", 1: "more", 0: "not sure"}[sides.pop()]
""")
answers.wrong("by the medians", reason="not all rounds are on the same side").code("""
    from statistics import median


    def answer(rounds, case, base):
        ours, theirs = (median(one[name] for one in rounds) for name in (case, base))
        if len(rounds) < 6:
            return "not sure"
        return "less" if ours < theirs else "more"
""")
answers.wrong("without the rounds", reason="compare within a round").code("""
    def answer(rounds, case, base):
        ours, theirs = ([one[name] for one in rounds] for name in (case, base))
        if len(rounds) < 6:
            return "not sure"
        if max(ours) < min(theirs):
            return "less"
        return "more" if min(ours) > max(theirs) else "not sure"
""")
answers.wrong("of few rounds, too", (">= 6", ">= 1"), reason="5 rounds agree by chance")
answers.wrong("a tie is on its side", ("one[case] > one[base]", "one[case] >= one[base]"), reason="not all rounds")
answers.wrong("the other way round", ("one[case] < one[base]", "one[base] < one[case]"), reason="returns 'not sure'")
answers.wrong("other words", ('return "not sure"', 'return "unsure"'), reason="return one of")

"""Answers to the exercise 01e."""

from tests.course.answers import Answers

answers = Answers("01e")

# Entry by entry.
answers.right("at most").code("""
    def answer(versions):
        def knows(one, other):
            return all(one.get(process, 0) >= time for process, time in other.items())

        result = []
        for value, stamp in versions:
            newer = any(knows(other, stamp) and other != stamp for _, other in versions)
            if not newer and (value, stamp) not in result:
                result.append((value, stamp))
        return result
""")

# Known is who is counted in: the value names the event, and the stamp of another counts that far.
answers.right("by the writers own entry").code("""
    def answer(versions):
        result = {}
        for value, stamp in versions:
            process, number = value.split(".")
            known = [other for name, other in versions if name != value and other.get(process, 0) >= int(number)]
            if not known:
                result[value] = stamp
        return tuple(result.items())
""")

# A reader who takes in one version after the other, and never holds more than the siblings.
answers.right("one after the other").code("""
    def answer(versions):
        siblings = []
        for value, stamp in versions:
            if any(stamp.items() <= seen.items() or seen == merged(seen, stamp) for _, seen in siblings):
                continue
            siblings = [each for each in siblings if merged(each[1], stamp) != stamp]
            siblings.append((value, stamp))
        return siblings


    def merged(one, other):
        return {process: max(one.get(process, 0), other.get(process, 0)) for process in {*one, *other}}
""")

# A process that is missing is left out of the comparison, instead of counting as 0. Plausible: right where all
# stamps name the same processes.
answers.plausible("common processes only", of="some entry larger", reason="is lost, and nobody is told").diff("""
    -        return any(time > one.get(process, 0) for process, time in other.items())
    +        common = one.keys() & other.keys()
    +        return one != other and all(one[process] <= other[process] for process in common)
""")

# The latest write wins, by the sum of the entries. Plausible: right for one version.
answers.plausible("last by sum", reason="what was written there is lost, and nobody is told").code("""
    def answer(versions):
        return [max(versions, key=lambda version: sum(version[1].values()))]
""")

# Wants every entry to be larger, and keeps what was replaced by its own writer.
answers.wrong("every entry larger", of="some entry larger", reason="so what was replaced comes back").diff("""
    -        return any(time > one.get(process, 0) for process, time in other.items())
    +        return all(other.get(process, 0) > time for process, time in one.items())
""")

# Compares neighbours only.
answers.wrong("compares with the last one", reason="gives a version twice").code("""
    def answer(versions):
        def knows(one, other):
            return all(one.get(process, 0) >= time for process, time in other.items())

        result = []
        for value, stamp in versions:
            if result and knows(result[-1][1], stamp):
                continue
            if result and knows(stamp, result[-1][1]):
                result.pop()
            result.append((value, stamp))
        return result
""")

# A write that came twice is dropped as known to the other copy.
answers.wrong("equal ones replace each other", reason="drops p1.1").code("""
    def answer(versions):
        def knows(one, other):
            return all(one.get(process, 0) >= time for process, time in other.items())

        return [
            each
            for place, each in enumerate(versions)
            if not any(knows(other, each[1]) for at, (_, other) in enumerate(versions) if at != place)
        ]
""")

# Drops nothing.
answers.wrong("keeps all", reason="comes back").code("""
    def answer(versions):
        return [each for place, each in enumerate(versions) if each not in versions[:place]]
""")

# Forgets that two replicas have the same write.
answers.wrong("same write twice", reason="gives a version twice").code("""
    def answer(versions):
        def knows(one, other):
            return all(one.get(process, 0) >= time for process, time in other.items())

        return [
            (value, stamp)
            for value, stamp in versions
            if not any(knows(other, stamp) and other != stamp for _, other in versions)
        ]
""")

# Takes a stamp with one larger entry for the newer one.
answers.wrong("some entry larger", reason="is lost, and nobody is told").code("""
    def answer(versions):
        def replaced(one, other):
            return any(time > one.get(process, 0) for process, time in other.items())

        found = [each for each in versions if not any(replaced(each[1], other) for _, other in versions)]
        return [each for place, each in enumerate(found) if each not in found[:place]]
""")

# Gives the values without their stamps.
answers.wrong("values alone", reason="it gives a list of some of the versions").code("""
    def answer(versions):
        return [value for value, _ in versions]
""")

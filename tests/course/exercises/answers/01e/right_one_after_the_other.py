"""A reader who takes in one version after the other, and never holds more than the siblings."""


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

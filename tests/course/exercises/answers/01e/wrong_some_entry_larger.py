"""Takes a stamp with one larger entry for the newer one."""

REASON = "is lost, and nobody is told"


def answer(versions):
    def replaced(one, other):
        return any(time > one.get(process, 0) for process, time in other.items())

    found = [each for each in versions if not any(replaced(each[1], other) for _, other in versions)]
    return [each for place, each in enumerate(found) if each not in found[:place]]

"""Known is who is counted in: the value names the event, and the stamp of another counts that far."""


def answer(versions):
    result = {}
    for value, stamp in versions:
        process, number = value.split(".")
        known = [other for name, other in versions if name != value and other.get(process, 0) >= int(number)]
        if not known:
            result[value] = stamp
    return tuple(result.items())

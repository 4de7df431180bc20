from collections import Counter


def answer(acknowledged, readable):
    times = Counter(readable)
    return {n for n in acknowledged if not times[n]}, [n for n, count in times.items() if count > 1]

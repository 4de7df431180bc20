def answer(readings, hours):
    hours_there = sorted(reading[0] for reading in readings)
    return tuple(filter(lambda reading: reading[0] > hours_there[-1] - hours, readings))

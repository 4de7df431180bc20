REASON = "AttributeError"


def answer(readings, hours):
    return [reading for reading in readings if reading.age < hours]

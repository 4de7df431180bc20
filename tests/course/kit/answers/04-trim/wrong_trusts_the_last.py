REASON = "a stream that is behind"


def answer(readings, hours):
    newest = readings[-1].hour
    return [reading for reading in readings if reading.hour > newest - hours]

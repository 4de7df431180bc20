REASON = "which is none of the readings"


def answer(readings, hours):
    newest = max(reading.hour for reading in readings)
    return [reading.hour for reading in readings if reading.hour > newest - hours]

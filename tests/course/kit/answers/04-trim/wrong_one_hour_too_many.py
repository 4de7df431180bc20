REASON = "keep a reading of hour 2"


def answer(readings, hours):
    newest = max(reading.hour for reading in readings)
    return [reading for reading in readings if reading.hour >= newest - hours]

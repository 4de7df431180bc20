REASON = "drop a reading of hour 3"


def answer(readings, hours):
    newest = max(reading.hour for reading in readings)
    return list({reading for reading in readings if reading.hour > newest - hours})

def answer(readings, hours):
    kept, newest = list(readings), 0
    for reading in readings:
        newest = max(newest, reading.hour)
    for reading in readings:
        if newest - reading.hour >= hours:
            kept.remove(reading)
    return kept

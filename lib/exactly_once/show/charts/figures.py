"""The two series with the window's average."""

import pandas as pd

from ...pipeline import Job, Window
from ..base.chart import Series, line_chart
from ..base.picture import Picture, scrolling


def series_figure() -> Picture:
    """Return the picture of a week of the two input streams and the average of their window, over event time."""
    job, rows, window = Job(items=7 * 24), [], Window()
    for readings in zip(*job.inputs().values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        row = {"hour": readings[0].hour} | {reading.stream: float(reading.value) for reading in readings}
        rows.append(row | {"average": round(float(window.average()), 3)})
    average = f"average of the last {job.duration} h, both streams"
    series = [
        Series(name, [(row["hour"], row[column]) for row in rows], colour, wide, dash)
        for name, column, colour, wide, dash in (
            ("Seattle", "seattle", "sky", 1.5, "2 3"),
            ("San Francisco", "san_francisco", "amber", 1.5, "6 3"),
            (average, "average", "blue", 3, ""),
        )
    ]
    about = f"Two streams, and the {average}, over {len(rows)} hours. The table below says the same."
    drawn = line_chart(series, ("hour of 2010 (event time)", "°F"), about)
    return Picture(scrolling(drawn, "Two streams and the average of their window"), pd.DataFrame(rows))

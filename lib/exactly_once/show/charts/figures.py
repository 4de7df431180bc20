"""The two series with the window's average."""

import pandas as pd

from ...pipeline import Job, Window
from ..base.chart import Series, line_chart
from ..base.checks import given
from ..base.picture import Picture, scrolling


def series_table(job: Job) -> pd.DataFrame:
    """Return the inputs of a job as a DataFrame: hour, one column for each stream, and the window's average, °F."""
    streams, rows, window = job.inputs(), [], Window()
    for readings in zip(*streams.values(), strict=True):
        window.push(readings)
        window.trim(job.duration)
        row = {"hour": readings[0].hour} | {reading.stream: float(reading.value) for reading in readings}
        rows.append(row | {"average": round(float(window.average()), 3)})
    return pd.DataFrame(rows)


def series_figure(job: Job | None = None) -> Picture:
    """Return the picture of a job's two input streams and the average of its window, over event time in hours."""
    job = Job(items=7 * 24) if job is None else given(job, Job)
    table = series_table(job)

    def of(column: str) -> list[tuple[float, float]]:
        return list(zip(table["hour"], table[column], strict=True))

    average = f"average of the last {job.duration} h, both streams"
    series = [
        Series("Seattle", of("seattle"), "sky", 1.5, "2 3"),
        Series("San Francisco", of("san_francisco"), "amber", 1.5, "6 3"),
        Series(average, of("average"), "blue", 3),
    ]
    about = f"Two streams, and the {average}, over {len(table)} hours. The table below says the same."
    drawn = line_chart(series, ("hour of 2010 (event time)", "°F"), about)
    return Picture(scrolling(drawn, "Two streams and the average of their window"), table)

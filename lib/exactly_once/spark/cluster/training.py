"""The run that fills the class-data archive: a separate cluster performs the common work of a cluster once.

`archive` starts it in a process of its own, because one Python process has one Spark.
"""

from .session import end, start
from .settings import shape_of

EXIT_LIMIT = 200  # s; Java writes the archive when it ends


def train(draft, base=""):
    """Write the archive of the driver's classes to `draft`, standing on the archive `base` if one is named."""
    standing_on = [f"-XX:SharedArchiveFile={base}"] if base else []
    running = start(
        shape_of("local-cluster[2,1,512]"),
        archive=(*standing_on, f"-XX:ArchiveClassesAtExit={draft}"),
        executor_archive=(),
    )
    try:
        session, process = running.session, running.driver.process
        numbers = session.sparkContext.parallelize(range(8), 2)
        numbers.map(lambda number: (number % 2, number)).reduceByKey(lambda one, other: one + other).collect()
        numbers.foreachPartition(lambda numbers: list(numbers))
        frame = session.createDataFrame([(1, "a"), (2, "b")], ["number", "word"])
        frame.groupBy("word").count().toPandas()
        session.stop()
        process.stdin.close()
        process.wait(EXIT_LIMIT)
    finally:
        end(running)

"""The state of a streaming query: its store's versions as a table.

The engine keeps the state after batch N as version N + 1 in the checkpoint, and Spark has a reader for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pandas

from ....errors import BadInput, CourseError
from ....paths import FileName
from ...cluster.cluster import lost
from ...run.tasks import with_slots
from ..checkpoint import checkpoint_of
from ..finish import quiet, said

if TYPE_CHECKING:
    from pyspark.sql import SparkSession  # at run time it is imported when a cluster is needed


def state_versions(checkpoint: FileName, spark: SparkSession | None = None) -> pandas.DataFrame:
    """Return the state of a query after each of its committed batches, read by Spark's own reader of state.

    checkpoint: the folder that is the query's checkpointLocation. Moments are in UTC.
    Returns a DataFrame with a row for each batch, partition and key: the columns `batch`, `operator`, `partition`,
    those of the key (a window is its `start` and `end`), and those of the value (of one name, the second has _2).

    Raises `BadInput` for a folder that is no checkpoint, and for one without a state (the query has no stateful
    operator, or no batch is committed); `CourseError` when the cluster fails.
    Source: Spark, "State Data Source Integration Guide" (experimental, only for reading).
    """
    place = str(checkpoint_of(checkpoint).folder)
    spark = with_slots(spark, 1)
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    quiet()
    try:
        operators = session.read.format("state-metadata").load(place).collect()
        found = [
            _version(session, place, one.operatorId, batch)
            for one in operators
            if one.stateStoreName == "default"  # a join has four stores, with names of their own
            for batch in range(one.minBatchId, one.maxBatchId + 1)
        ]
    except Exception as why:  # noqa: BLE001 - PySpark raises what Java, Python and the network raise
        raise lost() or CourseError(said(why)) from None
    if not found:
        raise BadInput(
            f"The checkpoint {place} has no state that is a table: give the one of a query with an aggregation, "
            "of which a batch is committed."
        )
    return pandas.concat(found, ignore_index=True)


def _version(session: SparkSession, place: str, operator: int, batch: int) -> pandas.DataFrame:
    """Return the state after a batch, keys and values side by side."""
    from pyspark.sql.functions import col, lit

    reader = session.read.format("statestore").option("operatorId", operator).option("batchId", batch)
    state = reader.load(place)
    columns = [lit(batch).alias("batch"), lit(operator).alias("operator"), col("partition_id").alias("partition")]
    names = ["batch", "operator", "partition"]
    for part in ("key", "value"):
        columns += _flat(col(part), state.schema[part].dataType, part, names)
    found: pandas.DataFrame = state.select(columns).toPandas()
    return found.sort_values(names[2:], ignore_index=True)


def _flat(column: Any, kind: Any, name: str, names: list[str]) -> list[Any]:
    """Return a column for each field of a structure; `names` gets their names, each only once."""
    from pyspark.sql.types import StructField, StructType

    if not isinstance(kind, StructType):
        again = sum(re.fullmatch(rf"{re.escape(name)}(_\d+)?", one) is not None for one in names)
        names.append(f"{name}_{again + 1}" if again else name)
        return [column.alias(names[-1])]
    numbered = StructType([StructField(f"f{number}", one.dataType) for number, one in enumerate(kind.fields)])
    plain = column.cast(numbered)  # an average has two fields of one name, which could not be told apart
    parts = [_flat(plain[f"f{number}"], one.dataType, one.name, names) for number, one in enumerate(kind.fields)]
    return [one for part in parts for one in part]

"""The Python daemon of an executor: PySpark's own, with the imports of an incarnation made ahead.

Each worker is a fork of it, so after a SIGKILL the next incarnation begins without importing anything.
"""

from pyspark import daemon, worker  # noqa: F401 - imported ahead of the first fork

from ... import handlers  # noqa: F401 - imported ahead of the first fork
from ...pipeline import STREAMS, series


def prepare() -> None:
    """Read the inputs ahead, too."""
    for stream in STREAMS:
        series(stream)


if __name__ == "__main__":
    prepare()
    daemon.manager()

"""What an executor's Python workers come from on a cluster that is not ours; it is shipped as a module of its own.

As `daemon`, but it comes up on any Python: the cluster's first job says what is missing there.
"""

import contextlib

from pyspark import daemon

if __name__ == "__main__":
    with contextlib.suppress(Exception):
        from exactly_once.spark.cluster.daemon import prepare

        prepare()
    daemon.manager()

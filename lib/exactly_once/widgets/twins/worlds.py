"""Runs twins for the Twins console: on the cluster, started when it is first needed."""

from ..base.cluster import OnCluster


class TwinsWorlds(OnCluster):
    """The cluster behind one interface, so that the console's model can be tested with another."""

    slots = 4  # for three twins and the database's own node

    def twins(self, nodes, pace, job):
        """Return `Twins` that have not started yet; one node is no twin, and has Spark's retry alone."""
        from ...spark.run.twins import Twins

        return Twins(nodes=nodes, pace=pace, job=job, spark=self._spark)

"""How the Twins console runs things: on the cluster, started when it is first needed."""


class Stopped(Exception):
    """Raised inside work that the learner asked to stop before it had anything to show."""


class TwinsWorlds:
    """The cluster behind one face, so that the console's model can be tested with another.

    `spark` is a session to use; without one the course's own cluster is started, with `slots` that are enough for
    two twins and the database's own node. Raises `BadInput` for what is no session.
    """

    slots = 4

    def __init__(self, spark=None):
        if spark is not None:
            from ...spark.cluster.cluster import checked_session

            checked_session(spark)
        self._spark = spark

    def cluster_is_up(self):
        """Tell whether a run can begin without starting the cluster."""
        from ...spark.cluster.cluster import lost

        return self._spark is not None or lost() is None

    def start_cluster(self, progress=None, take_over=False):
        """Start the cluster if it is not up; `progress` is called with a sentence as it goes on."""
        from ...spark import cluster

        cluster(slots=self.slots, progress=progress, take_over=take_over)

    def is_busy_elsewhere(self, error):
        """Tell whether an error means that another notebook has the cluster, so that it can be taken over."""
        from ...spark.cluster.lease import ClusterBusy, ClusterTaken

        return isinstance(error, (ClusterBusy, ClusterTaken))

    def twins(self, nodes, pace, job):
        """Return `Twins` that have not started yet; one node is no twin, and has Spark's retry alone."""
        from ...spark.run.twins import Twins

        return Twins(nodes=nodes, pace=pace, job=job, spark=self._spark)

"""The cluster behind a widget: a given session, or the course's own, started when it is first needed."""


class Stopped(Exception):
    """Raised inside work on the cluster that the learner asked to stop."""


class OnCluster:
    """The access of a widget's model to the cluster; a subclass defines the work on it.

    `spark` is a session to use; without one the course's own cluster is started at the first need, with `slots` if
    they are given. Raises `BadInput` for an argument that is no session.
    """

    slots: int | None = None

    def __init__(self, spark=None):
        if spark is not None:
            from ...spark.cluster.cluster import checked_session

            checked_session(spark)
        self._spark = spark

    def cluster_is_up(self):
        """Tell whether a run on the cluster can begin without starting it."""
        from ...spark.cluster.cluster import lost

        return self._spark is not None or lost() is None

    def start_cluster(self, progress=None, take_over=False):
        """Start the cluster if it is not up; `progress` is called with a sentence for each stage."""
        if self._spark is None:
            from ...spark import cluster

            cluster(slots=self.slots, progress=progress, take_over=take_over)

    def ready(self, work, told, take_over=False):
        """Start the cluster for some work, if it is not up; `told` is called with a sentence for each stage.

        Meanwhile the work's `phase` is "starting". Raises `Stopped` when the work is to stop.
        """
        if self.cluster_is_up():
            return
        work.phase = "starting"
        told("Starting the cluster; the first time this takes 5 to 15 seconds …")
        self.start_cluster(lambda words: told(f"Starting the cluster … {words}"), take_over)
        work.phase = ""
        if work.stopped():
            raise Stopped

    def is_busy_elsewhere(self, error):
        """Tell whether an error means that another notebook has the cluster, so that it can be taken over."""
        from ...spark.cluster.lease import ClusterBusy, ClusterTaken

        return isinstance(error, (ClusterBusy, ClusterTaken))

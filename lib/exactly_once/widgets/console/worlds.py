"""Runs handlers for the console: simulated, in this process or a sandbox, or on the cluster, started when needed."""

from dataclasses import replace

from ...sandbox import pool as sandbox
from ...sandbox.places import judge_safely, places_safely
from ...simulate import simulate
from ...simulate.places import places
from ...verdict import ideal_outcomes, judge
from ..base.cluster import OnCluster, Stopped

SANDBOX_SECONDS = 5.0


class Worlds(OnCluster):
    """The two worlds, behind one interface, so that the console's model can be tested with others."""

    def simulated(self, handler, plan, job, trusted):
        """Return the `Verdict` of a simulated run. A handler that is not the library's runs in a child process."""
        if trusted:
            return judge(simulate(handler, plan, job), handler)
        return sandbox.sandboxed(handler, plan, job, seconds=SANDBOX_SECONDS)

    def places(self, handler, job, trusted, node=None):
        """Return {kind of fault: the `Place`s where it can strike a node} of a run without any fault."""
        return places(handler, job, node) if trusted else places_safely(handler, job, SANDBOX_SECONDS)

    def strikes(self, handler, plans, job, trusted, ideals=None):
        """Return the `Verdict`s of simulated runs under several plans; `ideals` saves computing them again."""
        if trusted:
            return [judge(simulate(handler, plan, job), handler, ideals) for plan in plans]
        return judge_safely(handler, plans, job, SANDBOX_SECONDS)

    def ideals(self, handler, job):
        """Return the right outcomes of one of the library's handlers."""
        return ideal_outcomes(handler, job)

    def interrupt(self, thread):
        """End a thread's simulated run in the child process; the next run gets a new process."""
        sandbox.interrupt(thread)

    def on_cluster(self, cases, stopped, progress=None):
        """Return the `Verdict`s of many (handler, plan, job, trusted), run on the cluster.

        `stopped` is called now and then; once it returns true the runs are cancelled and `Stopped` is raised.
        `progress` is called with the number of runs that have ended.
        """
        from ...spark.run.tasks import run_many

        def watch(done):
            if stopped():
                raise Stopped
            if progress:
                progress(done)

        runs = run_many([case[:3] for case in cases], self._spark, progress=watch)
        ideals, verdicts = {}, []
        for run, (handler, _, job, trusted) in zip(runs, cases, strict=True):
            key = (id(handler), job)
            if key not in ideals and not run.error:
                ideals[key] = _ideals(handler, job, trusted)
            verdicts.append(judge(run, handler, ideals.get(key)))
        return verdicts

    def live(self, handler, job, pace, node=1):
        """Return a live run on the cluster that has not started yet; `node` is the one to watch and to kill."""
        from ...spark.run.live import LiveRun

        return LiveRun(handler, job, self._spark, pace, node)


def _ideals(handler, job, trusted):
    return ideal_outcomes(handler, job) if trusted else sandbox.ideals(handler, job, seconds=SANDBOX_SECONDS)


def live_job(job):
    """Return the job of a live run: the same one, with the whole year of hours."""
    return replace(job, items=None)

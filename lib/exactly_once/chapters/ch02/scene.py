"""Chapter 02's scene: a record on its way to three replicas; brokers die, lag, and elect a leader."""

from ... import show
from ...handlers.logs.replicated_log import cluster_in, promises_kept, replicated_log
from ...widgets.player.scene import Choice, Question, Scene


class Replicas(Scene):
    """A partition with three replicas; the learner chooses what happens next."""

    what, names, takes_after_a_choice = "The replicas", ("cluster",), 1
    question = Question(
        "A producer sends with acks=1, and is answered. How many deaths can lose its record?",
        {"one": "one, the leader's", "two": "two: another broker has a copy", "none": "none: it was acknowledged"},
    )
    choices = {"acks": Choice("The producer sends with", {1: "acks=1", "all": "acks=all"})}
    good = "Nothing more can happen, and every promise is kept."

    def programs(self, chosen):
        """Return the cluster as one program."""
        return [replicated_log(chosen["acks"], records=1, deaths=1)]

    def picture(self, position):
        """Draw the replicas' logs."""
        log = cluster_in(position.view.state)
        return show.log(log).fragment() if log else "<p>Nothing has happened yet.</p>"

    def rule(self, view, chosen):
        """Each acknowledged record is in the log of whoever leads."""
        return promises_kept(view)

    def words(self, text: str) -> str:
        """Return an event of the cluster; the state that is kept after it is not shown."""
        text = text.removeprefix("choose ").replace("in-sync…", "in-sync replicas")
        return "this is kept" if text.startswith("save state") else text

    def table(self, position):
        """Show no table of stores: the picture has all."""
        return ""


SCENE = Replicas()

"""The queue's scene: pushers at a lock-free queue; the learner stops or kills them at any step."""

from ...lockfree.progress import locked, reserving
from ...lockfree.pushers import placer, pusher
from ..player.scene import RUN_ALL, Choice, Scene
from ..player.widget import play
from .moment import ONE_VALUE, Moment, progress, pushed, told
from .view import cells_html, names, registers_html, verdict

QUEUES = {
    "lock-free": "lock-free push",
    "prepared": "prepared place",
    "spinlock": "behind a spinlock",
    "reserving": "obstruction-free",
}
CHOICES = {
    "queue": Choice("Queue", QUEUES),
    "pushers": Choice("Pushers", {2: "2", 3: "3"}, spoken="{} pushers"),
    "values": Choice("Values each", {1: "1", 2: "2"}, 2, "{} each"),
}
IN_TURNS = 36  # the most steps in turns before the stepper reports that no pusher finishes


class QueueScene(Scene):
    """Pushers at a queue, on the registers of a replay. They run the handlers of `lockfree`."""

    name, what, noun, sheet = "eo-queue-stepper", "The stepper", "pusher", "queue/queue.css"
    choices = CHOICES
    position_class = Moment
    picture, table, verdict = staticmethod(cells_html), staticmethod(registers_html), staticmethod(verdict)
    words, reply = staticmethod(told), staticmethod(progress)

    def programs(self, chosen):
        """Return the handlers of the pushers."""
        if chosen["queue"] in ONE_VALUE:
            return [locked if chosen["queue"] == "spinlock" else reserving] * chosen["pushers"]
        make = pusher if chosen["queue"] == "lock-free" else placer
        return [make(*values) for values in pushed(**chosen).values()]

    def about(self, moment, node):
        """Return what a pusher pushes, and whether it has the lock."""
        values = ", ".join(map(str, moment.pushed[node]))
        return f"pushes {values}{' · has the lock' if moment.lock == node else ''}"

    def remark(self, moment, move):
        """Return whom a pusher helped by a step."""
        helped = [one for one in moment.helps if one.move == move.number]
        return f"helps {names(helped[0].of)}" if helped else ""

    def fixed(self, chosen):
        """Behind a spinlock and when reserving, each pusher has one value."""
        return {"values": 1} if chosen["queue"] in ONE_VALUE else {}

    def turn_ends(self, state, node, text):
        """A pusher that reserves goes on until it is about to fill its cell: these turns are the worst for them."""
        fills = text.endswith(f": {node + 1}")  # a step's text ends in the value that it writes, here the number
        return state.chosen["queue"] != "reserving" or fills

    def most_in_turns(self, state, nodes):
        """Return the number of steps after which pushers that reserve are known to undo each other."""
        return IN_TURNS if state.chosen["queue"] == "reserving" else None

    def run_all(self, chosen):
        """Return the title of the button that runs all."""
        return "▶▶ Run all, each until it is about to fill" if chosen["queue"] == "reserving" else RUN_ALL


def queue_stepper(queue="lock-free", pushers=2, values=2):
    """Return the stepper: pushers at a queue; at every step the learner lets each continue, sleep or die.

    queue: "lock-free" (the queue's own push), "prepared" (a place is fixed first, and kept in a register), "spinlock"
    or "reserving" (obstruction-free); pushers: their number, 2 or 3; values: the number of values of each, 1 or 2;
    behind a spinlock and when reserving it is one. Raises `BadInput` for anything else.
    """
    return play(QueueScene(), queue=queue, pushers=pushers, values=values)

"""The node: all that a handler may use."""

from ..errors import BadInput, one_of, whole
from ..faults import POINTS
from .life import InputsEnded
from .locks import Lock
from .parts import inbox_of
from .registers import Registers
from .window import Reading, Window
from .words import describe


class Node:
    """One life of a handler, as the handler sees it. This is the complete list of what a handler may use.

    A handler is a function of one argument, the node: plain, blocking Python, called again from its start for the
    next life. What it keeps anywhere but in these stores dies with the life.

    - `duration`, `threshold`: the window's length in hours, and the count above which the counter moves. No steps.
    - `start`: the positions before the first item. No step.
    - `number`, `nodes`: which node this is, from 1 on, and how many run. No steps.
    - `running()`: False once the inputs have ended or the run was stopped. No step. `running(positions)` asks about
      these positions instead of those that this life loaded or read to.
    - `read(positions)`: a step. Returns (items, next_positions): the next hour's readings of both streams (or, when
      inputs arrive as they come, the next reading of one stream), and the positions after them. When there is nothing
      left to read the life ends there, in good order.
    - `positions.load()`, `positions.save(positions)`: steps on the engine's store. `load` gives offset 0 in each
      stream when nothing was saved.
    - `state.load()`, `state.save(value)`: steps on the engine's store. `load` gives an empty `Window` at first.
    - `output.push(value)`: a step; appends to the output log in the engine's store.
    - `registers.read(name)`, `registers.cas(name, expected_version, value)`: steps on versioned cells of the engine's
      store, by any name. `read` returns (version, value), (0, None) for a register that nothing was written to. `cas`
      writes the value if the version is still the expected one, which makes it one higher, and returns whether it did.
    - `database.increment()`: a step; adds one to the counter in the database, which is another system.
    - `crash_point(letter)`: a step that does nothing, where a fault can strike; A, B, C, D or E.
    - `choose(options)`: a step; the world picks one of the options, and every choice is one that an explorer may make.
    - `now()`: a step like `choose`; the hour that the node's clock shows, a whole number from 1 on. It is not before
      the hours that the positions have passed, nor after the inputs' last, and never goes back within a life; every
      such hour is one that an explorer may show. The clocks of two lives need not agree.
    - `send(to, message)`: a step; sends any value that a store keeps to the node number `to`, be it this one. Messages
      wait in the engine's store; those from one node to another are received in the order in which they were sent.
    - `receive()`: a blocking step; waits for a message to this node, and returns (sender, message). Of messages of
      several senders any may come first. `receive(sender)` waits for one of that node. A message belongs to the node:
      it waits for the next life when this one dies, and is gone once it is received, even if the reply is lost.
    - `lock(name)`: a lock of that name in the engine's store, to be used as `with node.lock("name"):`, or by
      `acquire()`, a blocking step, and `release()`, a step. No step by itself. `acquire` waits while another life holds
      the lock, and does nothing if this one does. `release` returns whether this life held it. A lock belongs to a
      life, as to a session of a database: it is released when the life ends, gives up or dies. A life that sleeps
      keeps it.

    A blocking step takes place only when it can. A crash, a pause and a lost request can strike while it waits. When
    all nodes that have not ended wait, that is a deadlock.

    Any step on a store may raise `OutcomeUnknown`: the operation may have been done or not. A handler that lets it
    pass gives up its life, and the next one takes over.
    """

    def __init__(self, life):
        self._life = life
        self._job = life.world.job
        self._at = None
        self._hour = 1
        self.duration = self._job.duration
        self.threshold = self._job.threshold
        self.positions = Positions(self)
        self.state = State(life)
        self.output = Output(life, self.state)
        self.registers = Registers(life)
        self.database = Database(life)

    @property
    def start(self):
        """The positions before the first item, as a dictionary of its own."""
        return self._job.start()

    def running(self, positions=None):
        """Tell whether there may be more to do after `positions`, or where this life is.

        Raises `BadInput` for positions of another form.
        """
        at = self._at if positions is None else checked(positions, self._job.start())
        return at != self._job.end() and not self._life.world.stopped()

    def read(self, positions):
        """Return the items at `positions`, and the positions after them.

        Raises `BadInput` for positions of another form.
        """
        life, streams = self._life, self._job.start()
        positions = checked(positions, streams)
        wanted = dict(positions)
        if self._job.arrival == "as it comes":
            left = [stream for stream in streams if positions[stream] < self._job.end()[stream]]
            if left:
                stream = left[0] if len(left) == 1 else life.world.choose(left)
                wanted = {stream: positions[stream]}
        life.item = self._job.hour_of(min(wanted.values()))
        found = life.step(
            life.world.engine, "input", "fetch", wanted, 1, name="input.read", text=f"read hour {life.item}"
        )
        # in the streams' own order, whatever order an engine gives them in
        items = [Reading(hour, stream, value) for stream in wanted for hour, value in found.get(stream, ())]
        if not items:
            raise InputsEnded
        life.item = max(item.hour for item in items)
        life.inputs = tuple((item.hour, item.stream) for item in items)
        after = {stream: offset + len(found.get(stream, ())) for stream, offset in positions.items()}
        self._at = after
        return items, dict(after)

    @property
    def number(self):
        """This node's number, from 1 on."""
        return self._life.world.number

    @property
    def nodes(self):
        """How many nodes run."""
        return self._life.world.nodes

    def send(self, to, message):
        """Send a message to the node number `to`. Raises `BadInput` for another number, or no value of a store."""
        whole("the receiver of a message", to, least=1, most=self.nodes)
        text = f"send to node {to}: {describe(message)}"
        life = self._life  # and no local variable for the engine: an explorer cannot tell what such a store holds
        life.step(life.world.engine, inbox_of(to), "put", self.number, message, name="message.send", text=text)

    def receive(self, sender=None):
        """Wait for a message, of the node number `sender` if that is given, and return (sender, message).

        Raises `BadInput` for what is no number of a node.
        """
        if sender is not None:
            whole("the sender of a message", sender, least=1, most=self.nodes)
        text = "receive" if sender is None else f"receive from node {sender}"
        life = self._life
        return tuple(
            life.step(life.world.engine, inbox_of(self.number), "take", sender, name="message.receive", text=text)
        )

    def lock(self, name):
        """Return the `Lock` of a name. Raises `BadInput` for a name that is not text."""
        return Lock(self._life, name)

    def crash_point(self, letter):
        """Pass the crash point `letter`. Raises `BadInput` for any but A to E."""
        self._life.crash_point(one_of("a crash point", letter, POINTS))

    def choose(self, options):
        """Return one of `options`, picked by the world. Raises `BadInput` when there is none."""
        options = list(options)
        if not options:
            raise BadInput("node.choose was given no options; give it at least one.")
        return self._life.choose(options)

    def now(self):
        """Return the hour that this node's clock shows: its processing time, where the items' own is event time."""
        passed = [self._job.hour_at(offset) for offset in (self._at or self._job.start()).values()]
        earliest, last = max(self._hour, *passed), max(self._job.hours())
        self._hour = self._life.choose(range(earliest, max(earliest, last) + 1), "the clock shows hour")
        return self._hour


class Positions:
    """The positions in the engine's store: for each stream, the offset of the next record to read."""

    def __init__(self, node):
        self._node = node

    def load(self):
        """Return the saved positions."""
        node = self._node
        _, saved = node._life.step(
            node._life.world.engine, "positions", "read", name="positions.load", text="load positions"
        )
        node._at = saved or node._job.start()
        return dict(node._at)

    def save(self, positions):
        """Save positions. Raises `BadInput` for positions of another form."""
        life = self._node._life
        positions = checked(positions, self._node._job.start())
        life.step(life.world.engine, "positions", "write", positions, name="positions.save", text="save positions")


class State:
    """The handler's state in the engine's store: a `Window`, or any value that a store can keep."""

    def __init__(self, life):
        self._life = life
        self.window = None

    def load(self):
        """Return the saved state."""
        version, saved = self._life.step(self._life.world.engine, "state", "read", name="state.load", text="load state")
        state = saved if version else Window()
        self.window = state if isinstance(state, Window) else None
        return state

    def save(self, state):
        """Save the state."""
        self._life.step(self._life.world.engine, "state", "write", state, name="state.save", text="save state")


class Output:
    """The output log in the engine's store."""

    def __init__(self, life, state):
        self._life = life
        self._state = state

    def push(self, value):
        """Append a value.

        The readings of the window that `state.load` gave are noted beside it, out of the handler's sight, or those
        last read if the handler computes with something else: either way the last ones name the pass.
        """
        life, window = self._life, self._state.window
        fresh = life.inputs
        held = tuple((reading.hour, reading.stream) for reading in window.readings) if window else ()
        if fresh and held[-len(fresh) :] == fresh:
            life.inputs = held
        try:
            life.step(life.world.engine, "output", "append", value, name="output.push", text=f"push {describe(value)}")
        finally:
            life.inputs = fresh


class Database:
    """The counter, in a database that is another system than the engine's store."""

    def __init__(self, life):
        self._life = life

    def increment(self):
        """Add one to the counter, in a transaction of the database."""
        self._life.step(self._life.world.database, "counter", "add", 1, name="database.increment", text="increment")


def checked(positions, streams):
    """Return positions as a new dictionary. Raises `BadInput` unless they give each stream an offset."""
    if not isinstance(positions, dict) or set(positions) != set(streams):
        raise BadInput(
            f"Positions are {positions!r}; they map each of {', '.join(streams)} to the offset of its next record."
        )
    for stream, offset in positions.items():
        whole(f"the position in {stream}", offset)
    return {stream: positions[stream] for stream in streams}

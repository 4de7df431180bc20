"""The log viewer without its screen: a small log in memory, the learner's actions on it, and their consequences."""

from dataclasses import replace

from ...errors import BadInput, one_of
from ...log import Producer, load_log, open_log
from ...log.errors import LogError
from ..base.model import Model, Undo, WrongField
from .state import (
    ACKS,
    BROKERS,
    LONGEST_KEY,
    MODES,
    MOST_PARTITIONS,
    MOST_RECORDS,
    REMEMBERED,
    TOPIC,
    Note,
    Settings,
    State,
    number,
    two,
)
from .stories import NONE, STORIES
from .words import consequences, listed, where_to


class LogViewerModel(Model):
    """A log of three brokers and the learner's actions on it. All rules are in `exactly_once.log`.

    `story` is the name of a story to begin with. Raises `BadInput` for an unknown name.
    """

    what = "The viewer"

    def __init__(self, story=NONE):
        super().__init__(State())
        self.done = Undo(REMEMBERED)
        self._open(State())
        if story != NONE:
            self.begin(story)

    @property
    def snapshot(self):
        """The log as plain data, as `Log.snapshot` returns it."""
        return self.log.snapshot()

    @property
    def next_step(self):
        """The story's next step, (action, value, words), or None."""
        story = STORIES.get(self.state.story)
        return story.steps[self.state.step] if story and self.state.step < len(story.steps) else None

    def actions(self):
        """Return the actions that `do` knows, by name."""
        brokers = ("kill", "revive", "pause", "resume", "bounce")
        return {name: lambda value, name=name: self.broker(name, value) for name in brokers} | {
            "send": self.send,
            "acks": lambda value: self.update(acks=one_of("acks", value, ACKS)),
            "replicate": lambda _: self._tell("Every follower fetches once.", self.log.replicate, TOPIC, rounds=1),
            "catch_up": lambda _: self._tell("The followers fetch until nothing moves.", self.log.replicate, TOPIC),
            "fetch": lambda value: self.fetch(*two(value)),
            "shrink": lambda value: self.shrink(*two(value)),
            "elect": self.elect,
            "read": lambda _: self.read(),
            "rewind": lambda _: self.update(positions=(0,) * self.state.settings.partitions, read=()),
            "replication": lambda value: self.mode("replication", value),
            "elections": lambda value: self.mode("elections", value),
            "partitions": lambda value: self.renew("partitions", number(value, "partitions", MOST_PARTITIONS)),
            "min_insync": lambda value: self.renew(
                "min_insync_replicas", number(value, "min.insync.replicas", BROKERS)
            ),
            "unclean": lambda _: self.renew("unclean_election", not self.state.settings.unclean_election),
            "story": self.begin,
            "next": lambda _: self.next(),
            "reset": lambda _: self.begin(self.state.story),
            "undo": lambda _: self.undo(),
        }

    # -- the actions of a learner ------------------------------------------------------------------------------------

    def send(self, key=None):
        """Send one record with a key, or without one: key "" or None."""
        key = str(key or "").strip()
        if len(key) > LONGEST_KEY:
            raise WrongField(f"The key has {len(key)} characters; {LONGEST_KEY} fit on the tape.", "send", key)
        if self.state.sent >= MOST_RECORDS:
            raise BadInput(f"{MOST_RECORDS} records were sent, as many as the tapes show. Reset, or undo some.")
        state, count = self.state, self.state.sent + 1
        value, acks = f"r{count}", ACKS[state.acks]
        held = {partition["partition"]: partition["end"] for partition in self.snapshot["partitions"]}
        producer, receipts = Producer(self.log, acks, seed=1), []
        why = where_to(key, state.settings.partitions) if key else "it has no key, so its producer picks a partition"

        def send():
            receipts.append(producer.send(TOPIC, value, key or None))

        self.update(sent=count)
        try:
            self._tell(lambda: self._sent(value, key, why, receipts[0], held), send)
        except LogError as refusal:
            what = f"{value} is sent with acks={state.acks}, and refused: {refusal.kafka}."
            self._note(Note(f"{what} {refusal}", refused=True))

    def _sent(self, value, key, why, receipt, held):
        """Return the headline and the explanation for a sent record."""
        place = receipt.partition
        partition = self.snapshot["partitions"][place]
        what = f"{value}{f' with key “{key}”' if key else ''} goes to partition {place}: {why}."
        if partition["end"] == held[place]:
            return what, "No broker takes it, and with acks=0 nobody hears of that: it is gone."
        isr = listed([str(broker) for broker in partition["isr"]])
        answer = {
            "0": "Its producer does not wait, and nothing is promised.",
            "1": "The leader says so at once: acknowledged with acks=1.",
            "all": "All in-sync replicas have it: acknowledged with acks=all."
            if receipt.acknowledged
            else f"Its producer waits until all in-sync replicas, {isr}, have it.",
        }[self.state.acks]
        leader, offset = partition["leader"], partition["end"] - receipt.count
        return (
            what,
            f"The leader, broker {leader}, writes it at offset {offset} in epoch {partition['epoch']}. {answer}",
        )

    def fetch(self, partition, broker):
        """Let one follower of a partition fetch once."""
        what = f"Broker {broker} fetches from partition {partition}’s leader."
        self._tell(what, self.log.replicate, TOPIC, partition, follower=broker, rounds=1)

    def shrink(self, partition, broker):
        """Let a leader stop waiting for a follower."""
        what = f"Broker {broker} has lagged for too long (replica.lag.time.max.ms)."
        self._tell(what, self.log.shrink_isr, TOPIC, partition, broker)

    def broker(self, what, value):
        """Kill, revive, pause or resume a broker, or restart it so quickly that no other broker notices."""
        which = number(value, "the broker", BROKERS - 1, least=0)
        alive = which in self.log.alive
        if what != "revive" and not alive:
            raise BadInput(f"Broker {which} is dead; revive it first.")
        if what == "revive" and alive:
            raise BadInput(f"Broker {which} is alive.")
        words = {
            "kill": f"Broker {which} is killed. Its disk stays as it is.",
            "revive": f"Broker {which} starts again, with the log that it had.",
            "pause": f"Broker {which} fetches no more: a slow disk, or a cut network.",
            "resume": f"Broker {which} can fetch again.",
            "bounce": f"Broker {which} restarts, so quickly that it stays in sync.",
        }
        self._tell(words[what], getattr(self.log, what), which)

    def elect(self, value):
        """Call an election for a partition: "0|clean" or "0|unclean"."""
        partition, _, kind = str(value).partition("|")
        partition = number(partition, "the partition", self.state.settings.partitions - 1, least=0)
        unclean = one_of("the election", kind, ("clean", "unclean")) == "unclean"
        if self.log.leader(TOPIC, partition) is not None:
            raise BadInput(f"Partition {partition} has a leader; an election is for one without.")
        self._tell(
            f"{'An unclean' if unclean else 'An'} election is called for partition {partition}.",
            lambda: self.log.elect(TOPIC, partition, unclean=unclean),
            otherwise="Nobody can win it: no in-sync replica is alive.",
        )

    def read(self):
        """Let the consumer read all visible records, from its positions on."""
        positions, said, read = list(self.state.positions), [], list(self.state.read)
        for partition, position in enumerate(positions):
            try:
                found = self.log.fetch(TOPIC, partition, position)
            except LogError as refusal:
                said.append(f"Partition {partition}: {refusal.kafka}. {refusal}")
                continue
            if found:
                values = [str(record.value) for record in found]
                said.append(f"Partition {partition}: it reads {listed(values)}.")
                read += [value for value in values if value not in read]
            positions[partition] = found.next
        note = Note("The consumer reads what is below the high watermark.", tuple(said or ["There is nothing new."]))
        self.update(positions=tuple(positions), read=tuple(read))
        self._note(note)

    def mode(self, what, value):
        """Let followers fetch, or elections happen, by themselves or by hand."""
        one_of(what, value, MODES)
        words = {
            "replication auto": "followers fetch by themselves.",
            "replication manual": "followers fetch when you say so.",
            "elections auto": "a partition without leader gets one at once, if an in-sync replica lives.",
            "elections manual": "a partition without leader waits until you call an election.",
        }
        self.update(**{what: value})
        setattr(self.log, what, value)
        follow = self.log.replicate if what == "replication" else self.log.elect
        self._tell(f"From now on {words[f'{what} {value}']}", follow if value == "auto" else lambda: None)

    def renew(self, name, value):
        """Start again with another setting of the topic: an empty log."""
        settings = replace(self._own_settings(), **{name: value})
        self._open(replace(self._cleared(), settings=settings, story=NONE, step=0))

    def begin(self, story):
        """Begin a story, or none, with an empty log."""
        if story == NONE:
            self._open(replace(self._cleared(), settings=self._own_settings(), story=NONE, step=0))
            return
        told = STORIES[one_of("the story", story, [NONE, *STORIES])]
        modes = {"acks": told.acks, "replication": told.replication, "elections": told.elections}
        self._open(replace(self._cleared(), settings=Settings(**told.settings), story=story, step=0, **modes))

    def next(self):
        """Take the next step of the story."""
        if self.next_step is None:
            raise BadInput("There is no next step: choose a story, or go on by yourself.")
        action, value, _ = self.next_step
        self.actions()[action](value)
        self.update(step=self.state.step + 1)

    def undo(self):
        """Take the last action back."""
        self.restore(self.done.undo(self.moment()))

    # -- undo and settings -------------------------------------------------------------------------------------------

    def _cleared(self):
        return replace(self.state, sent=0, read=(), notes=())

    def _own_settings(self):
        """Return the settings without the field that only a story may set."""
        return replace(self.state.settings, truncation=Settings().truncation)

    def _open(self, state):
        """Open an empty log for a state."""
        self.update(**vars(state) | {"positions": (0,) * state.settings.partitions})
        self.log = open_log(brokers=BROKERS, **self._options(state))
        settings = state.settings
        self.log.create_topic(
            TOPIC, settings.partitions, replicas=BROKERS, min_insync_replicas=settings.min_insync_replicas,
            unclean_election=settings.unclean_election,
        )  # fmt: skip

    def _options(self, state):
        modes = {"replication": state.replication, "elections": state.elections}
        return {"clock": lambda: 0, "watch": True, "truncation": state.settings.truncation, **modes}

    def moment(self):
        """Return the log and the rest of the present state."""
        return self.log.dump(), self.state

    def restore(self, moment):
        """Bring back the log and the rest of an earlier state."""
        dump, state = moment
        self.log = load_log(dump, **self._options(state))
        self.update(**vars(state) | {"error": None})

    def did(self, action, moment):
        """Remember the moment before an action that changed the state."""
        if action != "undo" and replace(moment[1], error=None) != self.state:
            self.done.remember(moment)

    def _tell(self, what, act, *arguments, otherwise="Nothing changes.", **options):
        """Apply an action to the log, and note the changes. `what` is the headline, or a function that returns it
        afterwards.
        """
        before = self.snapshot
        act(*arguments, **options)
        then = consequences(before, self.snapshot)
        headline, *more = what() if callable(what) else (what,)
        self._note(Note(headline, (*more, *then) or (otherwise,)))

    def _note(self, note):
        self.update(notes=(*self.state.notes, note))

"""A micro-batch engine over a learner's sink, as a model to search (for 12e): tasks, twins, commits, and zombies.

Each call of the sink's is another process with an object of its own. It is carried out again from its beginning for
each request, with the answers that it has had so far. So any two calls can interleave at any request. Nobody waits
for a call whose attempt lost, or whose driver died: it may go on at any time, or never, as if it were dead.
"""

import functools
import hashlib
import marshal
from typing import NamedTuple

from ...errors import CourseError, OutcomeUnknown
from ...exercises.model_checker import Action, Broken, Model, asked, step

BATCHES = ((("tea",), ("milk",)), (("salt",), ("milk",)))  # the rows of each batch, by partition
MOST_REQUESTS, MOST_STEPS = 20, 200  # of a call, and until everything has come to an end without faults
PLAIN = "numbers, texts, None, lists, tuples, sets and dictionaries"
MANIFEST, UNKNOWN = "manifest/", "no reply"
CALM = {"deaths": 0, "twins": 0, "failures": 0, "unknown": 0}


class Suspended(BaseException):
    """A call has made a request that has no answer yet. No error, so that no handler of a program's catches it."""


class Store:
    """What a sink sees of the store: four requests, and names that nobody else gets."""

    def __init__(self, call):
        self._call, self._place, self._names, self._request = call, 0, 0, None

    def put(self, name, value):
        """Write a file, over the old one if there is one."""
        self._ask("put", name, value)

    def put_if_absent(self, name, value):
        """Write a file if there is none of this name, in one step. Return whether it was written."""
        return self._ask("put_if_absent", name, value)

    def get(self, name):
        """Return the contents of a file, or None."""
        found = self._ask("get", name)
        return None if found is None else marshal.loads(found)

    def delete(self, name):
        """Delete a file, if it is there."""
        self._ask("delete", name)

    def unique(self):
        """Return a name that no other call gets, of any driver, as `uuid.uuid4` does."""
        self._names += 1
        return hashlib.md5(f"{self._call.who} {self._names}".encode()).hexdigest()[:6]

    def _ask(self, method, name, *value):
        if not isinstance(name, str):
            raise TypeError(f"the name of a file is {name!r}; give a text")
        try:
            request = (method, name, *(marshal.dumps(each, 2) for each in value))
        except ValueError:
            raise TypeError(f"{method} takes {PLAIN}") from None
        if self._request is not None or self._place == len(self._call.heard):
            self._request = self._request or request
            raise Suspended
        before, answer = self._call.heard[self._place]
        if before != request:
            raise CourseError(
                "The same call makes another request when it is carried out again: your sink goes by chance or by "
                "the time of day. Take names from store.unique()."
            )
        self._place += 1
        if answer == UNKNOWN:
            raise OutcomeUnknown(f"No reply to {method}({name!r}).")
        return answer


class Call(NamedTuple):
    """A call that is under way: `who` is (life, batch, method, partition, attempt).

    `arguments` are packed. `heard` are its requests with their answers, and `names` the files that the attempts wrote
    whose messages it was given.
    """

    who: tuple
    arguments: bytes
    heard: tuple = ()
    names: tuple = ()

    @property
    def wrote(self):
        """The files that it has written."""
        puts = [request[1] for request, said in self.heard if request[0] == "put" or said is True]
        return tuple(name for name in puts if not name.startswith(MANIFEST))

    def __str__(self):
        life, batch, method, partition, attempt = self.who
        task = f"batch {batch}, write of partition {partition}, attempt {attempt}"
        return f"Driver {life}, {task if method == 'write' else f'{method} of batch {batch}'}"


class State(NamedTuple):
    """The store's `files`, the engine's place (`phase` of a batch in a life), and the calls that are under way.

    `messages` has for each partition None, or (the packed message, the names of the attempt's files); `attempts` is
    the number of attempts of each; `seen` are the manifests that a reader may have seen, and `tidy` (batch, file) of
    the files that a call has left named or deleted. The last four say how often what may still go wrong.
    """

    files: tuple = ()
    life: int = 1
    batch: int = 0
    phase: str = "tasks"
    calls: tuple = ()
    messages: tuple = ()
    attempts: tuple = ()
    seen: frozenset = frozenset()
    tidy: frozenset = frozenset()
    deaths: int = 0
    twins: int = 0
    failures: int = 0
    unknown: int = 0


class MicroBatches(Model):
    """The engine: `write` in tasks, then `commit` or `abort`, then commits/N; a driver that dies is started again."""

    def __init__(self, make, batches=1, partitions=1, **left):
        self.make, self.left, self.run = make, left, functools.cache(self._ran)
        self.rows = [batch[:partitions] for batch in BATCHES[:batches]]

    def start(self):
        """Return the state in which the tasks of batch 0 have begun."""
        return self._tasks(State(**self.left))

    def actions(self, state):
        """Yield the possible next actions: requests of the calls, steps of the engine, and faults."""
        if state.phase == "committed":
            yield Action(f"commits/{state.batch} is written", "logged")
        for call in sorted(state.calls, key=lambda call: call.who[0] < state.life):  # zombies come last
            method, name, *value = self.run(call)[1]
            told = f"{call}: {method}({', '.join(map(repr, [name, *map(marshal.loads, value)]))})"
            yield Action(told, "answered", (call, "done"))
            if state.unknown and call.who[0] == state.life and method != "get":
                yield Action(f"{told}, and its reply is lost", "answered", (call, "lost reply"))
                yield Action(f"{told} is lost", "answered", (call, "lost"))
        for place, said in enumerate(state.messages if state.phase == "tasks" else ()):
            number = state.attempts[place]
            if said is None and state.twins:
                words = (
                    f"Attempt {number - 1} of partition {place} is slow, or dead: attempt {number} begins beside it"
                )
                yield Action(words, "again", (place,))
            if said is None and state.failures:
                yield Action(f"Partition {place} fails for good", "failed", (place,))
        if state.deaths and state.phase != "end":
            yield Action(f"The driver dies; the next one finds offsets/{state.batch} without its commit", "died")

    def answered(self, state, call, how):
        """Answer the request of a call."""
        request, files = self.run(call)[1], dict(state.files)
        method, name, *value = request
        wrote = how != "lost" and (method == "put" or (method == "put_if_absent" and name not in files))
        answer = {"get": files.get(name), "put_if_absent": wrote}.get(method)
        calls, tidy = tuple(each for each in state.calls if each != call), state.tidy
        if wrote:  # it is another file from now on, which the old messages do not mean
            files[name] = value[0]
            tidy = frozenset(each for each in tidy if each[1] != name)
            calls = tuple(each._replace(names=tuple(one for one in each.names if one != name)) for each in calls)
        elif method == "delete" and how != "lost":
            files.pop(name, None)
        if how != "done":
            answer, state = UNKNOWN, spent(state, "unknown")
        seen = state.seen | {name for name in files if name.startswith(MANIFEST)}
        state = state._replace(files=tuple(sorted(files.items())), seen=seen, calls=calls, tidy=tidy)
        told = "" if answer is None and method != "get" else answer
        after = call._replace(heard=(*call.heard, (request, answer)))
        return self._begun(state, after), marshal.loads(told) if isinstance(told, bytes) else told

    def logged(self, state):
        """Write commits/N, and begin the next batch."""
        if state.batch + 1 == len(self.rows):
            return state._replace(phase="end"), ""
        return self._tasks(state._replace(batch=state.batch + 1)), ""

    def died(self, state):
        """Let the driver die: its calls go on as zombies, and a new driver replays the batch."""
        state = spent(state, "deaths")
        return self._tasks(state._replace(life=state.life + 1)), ""

    def again(self, state, place):
        """Begin another attempt of a task, beside the first one."""
        return self._attempt(spent(state, "twins"), place), ""

    def failed(self, state, place):
        """Let a task fail for the last time: its job fails, and the driver aborts the batch."""
        who = (state.life, state.batch, "write", place)
        state = state._replace(calls=tuple(call for call in state.calls if call.who[:4] != who))
        return self._driver(spent(state, "failures"), "abort"), ""

    def _tasks(self, state):
        places = len(self.rows[state.batch])
        state = state._replace(phase="tasks", messages=(None,) * places, attempts=(0,) * places)
        for place in range(places):
            state = self._attempt(state, place)
        return state

    def _attempt(self, state, place):
        number, rows = state.attempts[place], self.rows[state.batch][place]
        state = state._replace(attempts=changed(state.attempts, place, number + 1))
        arguments = marshal.dumps([list(rows), place, number], 2)
        return self._begun(state, Call((state.life, state.batch, "write", place, number), arguments))

    def _driver(self, state, method):
        said = [each and marshal.loads(each[0]) for each in state.messages]
        names = tuple(name for each in state.messages if each for name in each[1])
        call = Call((state.life, state.batch, method, 0, 0), marshal.dumps([said, state.batch], 2), (), names)
        return self._begun(state._replace(phase=method), call)

    def _begun(self, state, call):
        """Return the state with a call that is under way, or the state after it has ended."""
        what, said = self.run(call)
        if what == "asks":
            return state._replace(calls=tuple(sorted([*state.calls, call])))
        life, batch, method, place, _ = call.who
        ours = (life, batch) == (state.life, state.batch)
        if method == "write":
            ours = ours and state.phase == "tasks" and state.messages[place] is None
            if not ours or what == "raises":
                return self._attempt(state, place) if ours else state
            state = state._replace(messages=changed(state.messages, place, (said, call.wrote)))
            return state if None in state.messages else self._driver(state, "commit")
        if what == "returns":
            state = state._replace(tidy=state.tidy | {(batch, name) for name in (*call.names, *call.wrote)})
        if not ours or state.phase != method:
            return state
        if method == "abort":
            return self._tasks(state._replace(life=state.life + 1))
        if what == "raises":
            return self._driver(state, "abort")
        if f"{MANIFEST}{batch}" not in dict(state.files):
            raise Broken(f"commit has returned, and there is no {MANIFEST}{batch}: nobody sees the batch.")
        return state._replace(phase="committed")

    def _ran(self, call):
        """Return ("asks", request), ("returns", packed result) or ("raises", None): how far a call comes."""
        store, method, arguments = Store(call), call.who[2], marshal.loads(call.arguments)
        told = f"{method}({', '.join(map(repr, arguments))})"
        if len(call.heard) > MOST_REQUESTS:
            raise Broken(f"{told} does not come to an end: it has made {MOST_REQUESTS} requests.")
        try:
            sink = asked("Sink(store)", self.make, store)
            said = asked(told, getattr(sink, method), *arguments)
        except Suspended:
            return "asks", store._request
        except OutcomeUnknown:
            return "raises", None
        if store._request is not None:  # the learner's code has caught it
            return "asks", store._request
        try:
            return "returns", marshal.dumps(said if method == "write" else None, 2)
        except ValueError:
            raise Broken(f"{told} returns {said!r}; a message goes to another process: {PLAIN}.") from None

    def judge(self, state):
        """Raise `Broken` unless each manifest has the rows of its batch, once, none has gone, and all is tidy."""
        files = dict(state.files)
        for name in sorted(state.seen):
            number = name.removeprefix(MANIFEST)
            if number not in map(str, range(state.batch + 1)):
                raise Broken(f"There is a {name}, and no batch {number} has begun.")
            if name not in files:
                raise Broken(f"{name} was there, and is gone: readers see the rows vanish.")
            found, wanted = [], sorted(row for rows in self.rows[int(number)] for row in rows)
            for each in listed(files[name]):
                if each not in files:
                    raise Broken(f"{name} names {each!r}, and there is no such file.")
                held = marshal.loads(files[each])
                found += held if isinstance(held, (list, tuple)) else [held]
            if sorted(map(str, found)) != wanted:
                raise Broken(f"A reader of {name} finds the rows {found}; batch {number} has {wanted}.")
        for batch, name in sorted(state.tidy):
            manifest = f"{MANIFEST}{batch}"
            if name in files and name not in listed(files.get(manifest)):
                raise Broken(f"A call that had {name!r} has returned; it is left, and {manifest} does not name it.")

    def settle(self, state):
        """Let nothing go wrong any more, and no zombie go on: every batch becomes visible."""
        state = state._replace(**CALM)
        for _ in range(MOST_STEPS):
            if state.phase == "end":
                return
            action = next(iter(self.actions(state)))
            with step(f"The faults are over. {action.words}", state):
                state, _ = self.next(state, action)
                self.judge(state)
        raise Broken(f"The faults are over, and batch {state.batch} never ends.")

    def shown(self, state):
        """Return the files: name, contents, and the manifest that names it."""
        files = dict(state.files)
        by = {each: name for name in files if name.startswith(MANIFEST) for each in listed(files[name])}
        return [
            {"file": name, "contents": repr(marshal.loads(held)), "named by": by.get(name, "")}
            for name, held in files.items()
        ]


def listed(held):
    """Return the names in a manifest, packed as it is; none for what is no list of texts."""
    names = None if held is None else marshal.loads(held)
    return [each for each in names if isinstance(each, str)] if isinstance(names, (list, tuple)) else []


def spent(state, what):
    """Return the state in which this may go wrong once less."""
    return state._replace(**{what: getattr(state, what) - 1})


def changed(values, place, value):
    """Return a tuple with another value at a place."""
    return (*values[:place], value, *values[place + 1 :])


def in_order(model):
    """Yield the schedule in which nothing goes wrong."""
    state = model.start()
    while state.phase != "end":
        action = next(iter(model.actions(state)))
        yield action
        state, _ = model.next(state, action)

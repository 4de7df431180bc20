"""The common parts of the widgets' models: actions by name, fields, undo, work in a thread.

A model is plain Python and needs no notebook. Its `state` is a frozen dataclass that is replaced as a whole, so that
a reader never sees half a change, and `changed` is called after each change, from any thread. Its work has a thread
of its own, so that the kernel's main thread stays free for Stop.
"""

import reprlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import Any, ClassVar

from ...errors import BadInput, CourseError, in_one_line, number_in, one_of
from .controls import ErrorView


class Work:
    """One piece of work in a thread of its own. Its starter may stop it, and may leave it behind.

    `error` is for the starter: the shown form of the error that the work raised; `phase` is the task's, "" or a word.

    `task` is called with this object: it looks at `stopped` now and then, and takes `orders` that were sent to it.
    Its error goes to `failed`; `ended` is called at the end in any case. Both are silent once the work is left
    behind.
    """

    def __init__(self, kind, task, failed, ended):
        self.kind = kind
        self.left_behind, self.error, self.phase = False, None, ""
        self._stop = threading.Event()
        self._orders = SimpleQueue()
        self._task, self._failed, self._ended = task, failed, ended
        self._thread = threading.Thread(target=self._work, name=f"widget: {kind}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def thread(self) -> Any:
        """The thread's identity, as `threading.get_ident()` returns it there."""
        return self._thread.ident

    def stopped(self) -> bool:
        """Tell whether the work was asked to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask the work to stop."""
        self._stop.set()

    def order(self, *order: Any) -> None:
        """Send the work an order; only its own thread touches the objects of the work."""
        self._orders.put(order)

    def orders(self, seconds: float) -> list[Any]:
        """Wait up to `seconds` for orders and return those that came, in order."""
        found = []
        try:
            found.append(self._orders.get(timeout=seconds))
            while True:
                found.append(self._orders.get_nowait())
        except Empty:
            return found

    def join(self, seconds: Any = None) -> bool:
        """Wait for the work's end; tell whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            self._task(self)
        except BaseException as why:  # noqa: BLE001 - a thread's error that is not shown is lost
            if not self.left_behind:
                self._failed(why, self)
        finally:
            if not self.left_behind:
                self._ended(self)


QUIET_SECONDS = 0.1
PATIENCE_SECONDS = 2.0
LONGEST_SHOWN = 60  # characters of a quoted value
NONSENSE = (TypeError, ValueError, KeyError, IndexError)  # the errors that an action raises for a useless value


@dataclass(frozen=True, kw_only=True)
class BaseState:
    """The common fields of every widget's state.

    `busy` is "idle", "running", "stopping" or a word of the widget's own; `error` is the newest error; `refused` maps
    each field with a wrong input to the input and the sentence about it.
    """

    busy: str = "idle"
    status: str = ""
    error: ErrorView | None = None
    refused: dict = field(default_factory=dict)


class WrongField(BadInput):
    """A field holds an input that makes no sense: `field` is the field's name, `typed` the input."""

    def __init__(self, message: str, field: str, typed: str) -> None:
        super().__init__(message)
        self.field, self.typed = field, typed


def typed_number(field: str, title: str, typed: Any, least: int = 1, most: int | None = None) -> int:
    """Return the whole number that was typed into a field. Raises `WrongField` for anything else, and out of range.

    `title` is the name of the field in a sentence, such as "The hour".
    """
    text = str(typed).strip()
    number = number_in(text)
    bounds = f"at least {least}" if most is None else f"from {least} to {most}"
    if number is None:
        shown = repr(text[:LONGEST_SHOWN]) if text else "empty"
        raise WrongField(f"{title} is {shown}; give a whole number {bounds}.", field, str(typed))
    if number < least or (most is not None and number > most):
        bounds = f"at least {least}" if most is None else f"between {least} and {most}"
        raise WrongField(f"{title} is {number}; it must be {bounds}.", field, str(typed))
    return number


class Model:
    """The actions of a learner on a widget, and the resulting state.

    A subclass defines `actions`; `needs_fields` names the actions that do not run while a field holds a wrong input,
    and `what` is the widget's name in sentences. `worlds` is its access to the cluster, an `OnCluster`, or None.
    `changed` is called after each change of `state`.
    """

    what = "The widget"
    needs_fields: tuple[str, ...] = ()
    worlds: Any = None

    def __init__(self, state: Any) -> None:
        self.state, self.changed = state, lambda: None
        self.lock = threading.RLock()
        # of each thread: whether an action is under way, and whether it changed the state
        self._here = threading.local()

    def actions(self):
        """Return {name: function of one value} of all actions of a learner."""
        raise NotImplementedError

    def do(self, action: str, value: Any = None) -> None:
        """Carry out one action of the learner. An error is put into `state.error`; nothing is raised.

        A field with a wrong input is kept in `state.refused` until it is put right. The screen is redrawn once, at
        the end.
        """
        if getattr(self._here, "doing", False):
            raise RuntimeError(f"{action!r} was asked for within another action; call what it does instead.")
        self._here.doing, self._here.changed = True, False
        before, had = self.state, self.state.error
        try:
            actions = self.actions()
            one_of(f"{self.what}'s action", action, actions)
            if action in self.needs_fields and self.state.refused:
                self._back_to_field()
            else:
                actions[action](value)
                self.put_right(action)
                if had is not None and self.state.error is had:
                    self.update(error=None)
        except WrongField as why:
            self.restore(before)
            self._refuse(why)
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless the widget shows it
            self.restore(before)
            self.failed_at(action, value, why)
        finally:
            self._here.doing = False
            if self._here.changed:
                self.changed()

    def update(self, **changes: Any) -> None:
        """Replace parts of the state, and redraw the screen: at once, or at the end of the action under way."""
        with self.lock:
            self.state = replace(self.state, **changes)
        if getattr(self._here, "doing", False):
            self._here.changed = True
        else:
            self.changed()

    def fail(self, why: Any) -> None:
        """Show an error in its place."""
        self.update(error=self.view_of(why))

    def put_right(self, *names: str) -> None:
        """Forget the wrong inputs of these fields."""
        left = {name: held for name, held in self.state.refused.items() if name not in names}
        if left != self.state.refused:
            self.update(refused=left)

    def failed_at(self, action: str, value: Any, why: Any) -> None:
        """Show the error that an action raised."""
        if isinstance(why, NONSENSE) and not isinstance(why, CourseError):
            shown = reprlib.repr(value)[:LONGEST_SHOWN]
            said = f"{self.what} cannot do {action!r} with {shown} ({in_one_line(why)})."
            self.update(error=replace(self.view_of(why), message=said))
        else:
            self.fail(why)

    def view_of(self, why: Any) -> ErrorView:
        """Return an error as this widget shows it, with an offer where another notebook has the cluster."""
        elsewhere = self.worlds is not None and self.worlds.is_busy_elsewhere(why)
        return ErrorView.of(why, elsewhere, self.what)

    def restore(self, moment: Any) -> None:
        """Bring back the state before an action that failed."""
        if self.state is not moment:
            self.update(**vars(moment))

    def _refuse(self, why: Any) -> None:
        others = {name: held for name, held in self.state.refused.items() if name != why.field}
        self.update(error=ErrorView(str(why), field=why.field), refused={**others, why.field: (why.typed, str(why))})

    def _back_to_field(self) -> None:
        name, (_, sentence) = next(reversed(self.state.refused.items()))
        self.update(error=ErrorView(sentence, field=name))


class BackgroundWork(Model):
    """A model whose work runs in a thread of its own, one at a time, and can be stopped.

    `work` is the present work, or None. Hooks: `interrupt` is called at once when work is stopped, `overdue` when it
    did not end within `patience`, `failed` with its error; `at_end` returns the changes of the state at its end.
    `endings` are the seconds for stopped work of a kind to end, where they are not the usual ones.
    """

    endings: ClassVar[dict[str, float]] = {}

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.work = None

    def restore(self, moment: Any) -> None:
        """Leave the state as it is: work may have changed it meanwhile, and an action changes it at its end."""

    def begin(self, kind, task, busy="running", quiet=False, **changes):
        """Start `task(work)` in a thread. While other work is under way a second click is ignored.

        quiet: the screen is redrawn only if the work takes long enough to read that it runs.
        """
        with self.lock:
            if self.work is not None:
                return
            self.work = Work(kind, task, self._failed, self._ended)
            self.state = replace(self.state, busy=busy, error=None, **changes)
            if quiet:
                _later(QUIET_SECONDS, self.changed)
            else:
                self.update()
            self.work.start()

    def stop(self, **changes: str) -> None:
        """Ask the present work to stop. `overdue` handles work that does not stop in time."""
        with self.lock:
            work = self.work
            if work is None or work.stopped():
                return
            work.stop()
            self.update(busy="stopping", **changes)
        self.interrupt(work)
        _later(self.patience(work), lambda: self.work is work and self.overdue(work))

    def wait(self, seconds: float = 30.0) -> bool:
        """Wait until no work runs; tell whether that is so. For tests and scripts."""
        with self.lock:  # work that ends keeps the lock until its result is shown
            work = self.work
        return work is None or work.join(seconds)

    def report(self, work: Work, **changes: Any) -> None:
        """Update the state on behalf of some work, unless it was left behind."""
        with self.lock:
            if self.work is work and not (work.stopped() and changes.keys() <= {"status", "progress"}):
                self.update(**changes)

    def leave_behind(self, work: Work, **changes: str | None) -> None:
        """Be free for other work; this work continues, and its reports are ignored."""
        with self.lock:
            if self.work is work:
                work.left_behind, self.work = True, None
                self.update(busy="idle", **changes)

    def patience(self, work: Work) -> float:
        """Return the longest time in seconds for stopped work to end: 0 for a cluster that is starting."""
        return 0.0 if work.phase == "starting" else self.endings.get(work.kind, PATIENCE_SECONDS)

    def interrupt(self, work: Work) -> None:
        """Hurry work that was asked to stop."""

    def overdue(self, work):
        """Handle work that did not stop in time."""
        self.leave_behind(work, status="Stopped. It was left behind.")

    def failed(self, why: Any, work: Work) -> None:
        """Show the error that work raised."""
        if not isinstance(why, Stopped):
            self.fail(why)

    def at_end(self, work: Work) -> dict[Any, Any]:
        """Return the changes of the state at the end of work."""
        return {}

    def _failed(self, why: Any, work: Work) -> None:
        work.error = None
        before = self.state.error
        self.failed(why, work)
        work.error = self.state.error if self.state.error is not before else None

    def _ended(self, work: Work) -> None:
        with self.lock:
            if self.work is work:
                self.work = None
                # An error from before the end, such as a refusal, is cleared with the work.
                self.state = replace(self.state, error=work.error)
                self.update(busy="idle", **self.at_end(work))


class Stopped(Exception):
    """Raised inside work on the cluster that the learner asked to stop."""


class OnCluster:
    """The access of a widget's model to the cluster; a subclass defines the work on it.

    The cluster is started at the first need, with `slots` if they are given.
    """

    slots: int | None = None

    def cluster_is_up(self):
        """Tell whether a run on the cluster can begin without starting it."""
        from ...spark.cluster.cluster import lost

        return lost() is None

    def start_cluster(self, progress=None, take_over=False):
        """Start the cluster if it is not up; `progress` is called with a sentence for each stage."""
        from ...spark import cluster

        cluster(slots=self.slots, progress=progress, take_over=take_over)

    def ready(self, work: Work, told: Callable[..., Any], take_over: bool = False) -> None:
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

    def is_busy_elsewhere(self, error: Any) -> bool:
        """Tell whether an error means that another notebook has the cluster, so that it can be taken over."""
        from ...spark.cluster.lease import ClusterBusy

        return isinstance(error, ClusterBusy)


def _later(seconds: float, act: Callable[..., Any]) -> None:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()

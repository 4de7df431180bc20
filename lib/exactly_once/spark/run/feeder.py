"""The feeder of a run whose inputs arrive while it goes on: hours at a pace, each with the moment of its arrival."""

import threading
import time

from ...errors import CourseError

SLOWEST, FASTEST = 0.1, 100.0  # hours a second


class Feeder(threading.Thread):
    """Brings the hours of a `Feed` into the engine's store, one by one, `pace` of them a second.

    `arrivals` is {hour: the time in seconds since the epoch}, noted before the hour is there. `failure` is the error,
    if there was one.
    """

    def __init__(self, feed, store, pace):
        super().__init__(name="exactly-once feeder", daemon=True)
        self.feed, self.store, self.pace = feed, store, pace
        self.arrivals, self.failure = {}, None
        self._changed, self._ended = threading.Condition(), False

    def set_pace(self, pace):
        """Bring so many hours a second from now on."""
        with self._changed:
            self.pace = pace
            self._changed.notify()

    def stop(self):
        """Bring nothing any more; return when that is so."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self.is_alive():
            self.join()

    def run(self):
        """Bring hours until there are none left, or `stop` is called."""
        due = time.monotonic()
        for offset in range(self.feed.items):
            with self._changed:
                while not self._ended and (left := due - time.monotonic()) > 0:
                    pace = self.pace
                    self._changed.wait(left)
                    if pace != self.pace:  # the hour that is on its way comes sooner, or later
                        due = min(due, time.monotonic() + 1 / self.pace)
                if self._ended:
                    return
            due = max(due, time.monotonic()) + 1 / self.pace
            try:
                self.arrivals[self.feed.hour_of(offset)] = time.time()
                self.feed.bring(self.store, offset)
            except CourseError as why:
                self.failure = why
                return

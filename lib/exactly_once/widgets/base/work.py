"""The work of a widget: a thread of its own, so that the kernel's main thread stays free for Stop."""

import threading
from queue import Empty, SimpleQueue


class Work:
    """One piece of work in a thread of its own. Its starter may stop it, and may leave it behind.

    `error` is for the starter: the shown form of the error that the work raised.

    `task` is called with this object: it looks at `stopped` now and then, and takes `orders` that were sent to it.
    Its error goes to `failed`; `ended` is called at the end in any case. Both are silent once the work is left
    behind.
    """

    def __init__(self, kind, task, failed, ended):
        self.kind = kind
        self.left_behind, self.error = False, None
        self._stop = threading.Event()
        self._orders = SimpleQueue()
        self._task, self._failed, self._ended = task, failed, ended
        self._thread = threading.Thread(target=self._work, name=f"widget: {kind}", daemon=True)

    def start(self):
        """Start the thread."""
        self._thread.start()

    @property
    def thread(self):
        """The thread's identity, as `threading.get_ident()` returns it there."""
        return self._thread.ident

    def stopped(self):
        """Tell whether the work was asked to stop."""
        return self._stop.is_set()

    def stop(self):
        """Ask the work to stop."""
        self._stop.set()

    def order(self, *order):
        """Send the work an order; only its own thread touches the objects of the work."""
        self._orders.put(order)

    def orders(self, seconds):
        """Wait up to `seconds` for orders and return those that came, in order."""
        found = []
        try:
            found.append(self._orders.get(timeout=seconds))
            while True:
                found.append(self._orders.get_nowait())
        except Empty:
            return found

    def join(self, seconds=None):
        """Wait for the work's end; tell whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self):
        try:
            self._task(self)
        except BaseException as why:  # noqa: BLE001 - a thread's error that is not shown is lost
            if not self.left_behind:
                self._failed(why, self)
        finally:
            if not self.left_behind:
                self._ended(self)

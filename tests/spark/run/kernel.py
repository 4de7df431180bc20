"""A notebook's real kernel that runs the test's code, and its printed output."""

import os
import queue

from jupyter_client.manager import KernelManager

from exactly_once.paths import temporary
from exactly_once.spark.cluster import processes

from .actor import LEASE

ANSWER_LIMIT = 120  # s


class Kernel:
    """A kernel of its own, as JupyterLab starts one for the notebook `name`. Code runs when it is its turn."""

    def __init__(self, name, **variables):
        environment = {
            **os.environ,
            "EXACTLY_ONCE_LEASE": LEASE,
            "JPY_SESSION_NAME": f"/course/{name}",
            "IPYTHONDIR": str(temporary("ipython")),
            **variables,
        }
        self.manager = KernelManager(kernel_name="python3")
        self.manager.connection_file = str(temporary("jupyter", "runtime") / f"kernel-{os.getpid()}-{id(self)}.json")
        self.manager.start_kernel(env=environment)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=ANSWER_LIMIT)
        self.pid = self.manager.provisioner.process.pid
        self.printed = ""
        self.ask("from exactly_once.spark.cluster.cluster import *\nimport os, threading, time")

    def begin(self, code):
        """Send code without waiting for its end; return the message id for `answer`."""
        return self.client.execute(code, stop_on_error=False)  # or what is sent soon after an error is not run

    def answer(self, message):
        """Return the result of code: "ok", or its error as (name, message)."""
        while True:
            reply = self.client.get_shell_msg(timeout=ANSWER_LIMIT)
            if reply["parent_header"]["msg_id"] == message:
                content = reply["content"]
                return "ok" if content["status"] == "ok" else (content["ename"], content["evalue"])

    def ask(self, code):
        """Run code that must end well."""
        answer = self.answer(self.begin(code))
        assert answer == "ok", answer

    def fails(self, code):
        """Run code that must raise, and return (the exception's name, its message)."""
        answer = self.answer(self.begin(code))
        assert answer != "ok"
        return answer

    def heard(self, words):
        """Wait until the kernel has printed `words`; return its whole output so far."""
        while words not in self.printed:
            try:
                message = self.client.get_iopub_msg(timeout=ANSWER_LIMIT)
            except queue.Empty:
                raise AssertionError(f"{words!r} was not printed, but {self.printed!r}") from None
            self.printed += message["content"].get("text", "")
        return self.printed

    def leave(self):
        """End the kernel and its remaining processes."""
        self.client.stop_channels()
        self.manager.shutdown_kernel()
        processes.kill(processes.our_processes(self.pid))

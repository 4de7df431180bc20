"""A notebook kernel, as far as a cluster can tell: a Python process that does what the test tells it, line by line.

It reads one Python expression or statement a line, runs it, and answers with one line of JSON.
What anything else prints shows up between the answers, or on its standard error: `Actor.noise`.
"""

import contextlib
import json
import os
import subprocess
import sys

LOOP = """
import json, os, signal, sys, time
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.cluster import processes
from exactly_once.spark.cluster.cluster import lost, running
_answers = os.fdopen(int(sys.argv[1]), "w")
names = globals()
for line in sys.stdin:
    try:
        try:
            _answer = {"value": eval(line, names)}
        except SyntaxError:
            exec(line.replace("\\x00", "\\n"), names)
            _answer = {"value": None}
    except Exception as why:
        _answer = {"error": type(why).__name__, "said": str(why)}
    _answers.write(json.dumps(_answer, default=str) + "\\n")
    _answers.flush()
"""


LEASE = f"tests-actors-{os.getpid()}"  # two runs of the tests at once must not meet


class Actor:
    """One such process. Its standard output and error are one file, which must stay empty."""

    def __init__(self, folder, **variables):
        self.output = folder / f"output-{len(list(folder.glob('output-*')))}"
        reader, writer = os.pipe()
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", LOOP, str(writer)],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                pass_fds=[writer],
                text=True,
                cwd=folder,
                env={**os.environ, "EXACTLY_ONCE_LEASE": LEASE, **variables},
            )
        os.close(writer)
        self.answers = os.fdopen(reader)
        self.pid = self.process.pid

    def begin(self, code):
        """Send code without waiting for its answer."""
        self.process.stdin.write(code.replace("\n", "\x00") + "\n")
        self.process.stdin.flush()

    def answer(self):
        """Return the answer to what was sent: {"value": …} or {"error": …, "said": …}."""
        line = self.answers.readline()
        assert line, f"The process ended: {self.noise}"
        return json.loads(line)

    def value(self):
        """Return the value of the code that was sent, which must not have raised."""
        answer = self.answer()
        assert "error" not in answer, answer
        return answer["value"]

    def ask(self, code):
        """Run code and return its value."""
        self.begin(code)
        return self.value()

    def fails(self, code):
        """Run code that must raise, and return (the exception's name, its message)."""
        self.begin(code)
        answer = self.answer()
        assert "error" in answer, answer
        return answer["error"], answer["said"]

    @property
    def noise(self):
        """What was printed so far."""
        return self.output.read_text(errors="replace")

    def leave(self):
        """End the process as a kernel ends, without a word to the cluster."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait(30)
        self.answers.close()

"""A Spark cluster that is not the course's: a master and workers, processes of Spark's own on addresses of their own.

A keeper starts them, and ends them when its standard input ends: so nothing is left when a test is killed. The
addresses are of loopback, as Linux has them.
"""

import contextlib
import json
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pyspark

from exactly_once.java.finder import environment, find_java
from exactly_once.paths import ROOT

MASTER, HOSTS = "127.0.0.1", ("127.0.0.2", "127.0.0.3")
START_LIMIT = 120  # s
DEPLOY = "org.apache.spark.deploy"


def owns(host):
    """Tell whether this machine has the address `host`."""
    with socket.socket() as server:
        try:
            server.bind((host, 0))
            return True
        except OSError:
            return False


class Standalone:
    """The cluster: `url`, and `conf`, the folder whose spark-defaults.conf has its secret."""

    def __init__(self, folder, cores=4, memory="2g", hosts=HOSTS):
        self.folder, self.conf = Path(folder), Path(folder) / "conf"
        self.conf.mkdir(parents=True)
        secret = f"spark.authenticate true\nspark.authenticate.secret {secrets.token_hex(16)}\n"
        (self.conf / "spark-defaults.conf").write_text(secret)
        (self.folder / "daemons.conf").write_text(f"{secret}spark.master.rest.enabled false\n")
        self.keeper = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,  # Ctrl-C is for the tests, and they tell the keeper to end
        )
        self.ask("master", MASTER, f"{DEPLOY}.master.Master", "--host", MASTER, "--port", "0")
        (self.url,) = self._said(MASTER, "Starting Spark master at ")
        size = "--cores", str(cores), "--memory", memory
        for host in hosts:
            self.ask("worker", host, f"{DEPLOY}.worker.Worker", "--host", host, *size, self.url)
        for host in hosts:
            self._said(host, "Successfully registered with master ")

    def ask(self, *words):
        """Have the keeper start a process of Spark's."""
        self.keeper.stdin.write(json.dumps(words) + "\n")
        self.keeper.stdin.flush()
        assert self.keeper.stdout.readline() == "done\n"

    def _said(self, name, sentence):
        """Wait until a process has said a sentence, and return what stands after it, as words."""
        deadline = time.monotonic() + START_LIMIT
        while True:
            text = (self.folder / name / "log").read_text(errors="replace")
            if sentence in text:
                return text.partition(sentence)[2].split()[:1]
            assert time.monotonic() < deadline, text[-2000:]
            time.sleep(0.05)

    def processes(self):
        """Return the processes in any worker's folder: Spark's own, executors, Python."""
        return [process for process, _ in self._placed()]

    def executors(self):
        """Return those of them that belong to an application."""
        return [process for process, place in self._placed() if "work" in place]

    def _placed(self):
        """Return each such process with the names of the folders it is in, from ours on."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, ValueError):  # one that ends has no folder, or an empty one
                place = Path(process.cwd()).relative_to(self.folder).parts
                if process.status() != psutil.STATUS_ZOMBIE:
                    found.append((process, place))
        return found

    def stop(self):
        """End all of it."""
        self.keeper.stdin.close()
        self.keeper.stdout.close()
        self.keeper.wait(60)


def _start(folder, host, *words):
    """Start a process of Spark's with a folder of its own."""
    home = Path(folder) / host
    home.mkdir(exist_ok=True)
    spark = Path(pyspark.__file__).parent
    with open(home / "log", "wb") as log:
        return subprocess.Popen(
            [str(spark / "bin" / "spark-class"), *words[:1], *_options(folder), *words[1:]],
            env=environment()
            | {
                "JAVA_HOME": str(find_java().home),
                "SPARK_HOME": str(spark),
                "SPARK_DAEMON_MEMORY": "128m",
                "SPARK_LOCAL_IP": host,
                "SPARK_WORKER_DIR": str(home / "work"),
                "SPARK_LOCAL_DIRS": str(home / "local"),
                "SPARK_CONF_DIR": str(home),  # it has none: nobody's own settings
            },
            cwd=home,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )


def _options(folder):
    return ["--webui-port", "0", "--properties-file", str(Path(folder) / "daemons.conf")]


def _kill(process):
    """SIGKILL a process and all below it."""
    doomed = [process]
    with contextlib.suppress(psutil.Error):
        doomed = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    for one in doomed:
        with contextlib.suppress(psutil.Error):
            one.send_signal(signal.SIGKILL)
    process.wait()


def keep(folder):
    """Start processes as standard input says, a line each; at its end kill all."""
    running = []
    try:
        for line in sys.stdin:
            _, *words = json.loads(line)
            running.append(_start(folder, *words))
            print("done", flush=True)
    finally:
        for process in reversed(running):
            _kill(process)


if __name__ == "__main__":
    keep(sys.argv[1])

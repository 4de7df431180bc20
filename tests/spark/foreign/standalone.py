"""A Spark cluster that is not the course's: a master and workers, processes of Spark's own on addresses of their own.

The addresses are of loopback, as Linux has them.
"""

import contextlib
import socket
from pathlib import Path

import psutil
import pyspark

from exactly_once.java.finder import environment, find_java
from exactly_once.servers import Server

MASTER, HOSTS = "127.0.0.1", ("127.0.0.2", "127.0.0.3")
SPARK = Path(pyspark.__file__).parent


def owns(host):
    """Tell whether this machine has the address `host`."""
    with socket.socket() as server:
        try:
            server.bind((host, 0))
            return True
        except OSError:
            return False


class Standalone(Server):
    """The cluster: `url`, and `conf`, the folder whose spark-defaults.conf has its secret."""

    KIND, START_SECONDS = "standalone", 120

    @property
    def url(self):
        return f"spark://{MASTER}:{self.port}"

    @property
    def conf(self):
        return self.folder / "conf"

    def commands(self):
        size = "--cores", "4", "--memory", "2g", self.url
        workers = {host: self._daemon("worker.Worker", host, *size) for host in HOSTS}
        return {MASTER: self._daemon("master.Master", MASTER, "--port", str(self.port)), **workers}

    def _daemon(self, kind, host, *more):
        settings = "--webui-port", "0", "--properties-file", str(self.folder / "daemons.conf")
        return [
            str(SPARK / "bin" / "spark-class"),
            f"org.apache.spark.deploy.{kind}",
            *settings,
            "--host",
            host,
            *more,
        ]

    def environment(self, name):
        home = self.folder / name  # it has no spark-defaults.conf: nobody's own settings
        return environment() | {
            "JAVA_HOME": str(find_java().home), "SPARK_HOME": str(SPARK), "SPARK_DAEMON_MEMORY": "128m",
            "SPARK_LOCAL_IP": name, "SPARK_WORKER_DIR": str(home / "work"), "SPARK_LOCAL_DIRS": str(home / "local"),
            "SPARK_CONF_DIR": str(home),
        }  # fmt: skip

    def prepared(self):
        for name in ("conf", *self.commands()):
            (self.folder / name).mkdir()
        secret = f"spark.authenticate true\nspark.authenticate.secret {self.secret}\n"
        self.keep("conf/spark-defaults.conf", secret)
        self.keep("daemons.conf", f"{secret}spark.master.rest.enabled false\n")
        self.start(MASTER)  # a worker that finds none tries again ten seconds later

    def ready(self, name, printed):
        return ("Starting Spark master at " if name == MASTER else "Successfully registered with master ") in printed

    def executors(self):
        """Return the processes that belong to an application: those in a worker's folder for its work."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, ValueError):  # one that ends has no folder, or an empty one
                if "work" in Path(process.cwd()).relative_to(self.folder).parts:
                    found.append(process)
        return found

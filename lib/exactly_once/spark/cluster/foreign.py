"""A cluster that is not ours: what it needs is checked first, and each lack is said in a sentence.

Its workers get this library from Spark itself, as an archive that each executor unpacks, and reach the stores of a
run at an address of this machine. Settings that the cluster asks for, such as its secret, stand in the
spark-defaults.conf of the folder that SPARK_CONF_DIR names, as for every program of Spark's.
Source: Spark 4.3, "Spark Standalone Mode", "Security" and "Configuration"; PySpark, "Python Package Management".
"""

import contextlib
import os
import re
import socket
import sys
import time
import zipfile
from importlib.metadata import version
from pathlib import Path

import cloudpickle

from ...errors import CourseError
from ...paths import DATA, PACKAGE

SHIPPED = "exactly_once_shipped"  # the folder in an executor's own, where it finds the library
AHEAD = "exactly_once_ahead"  # the module there that its Python workers come from
NEEDED = ("greenlet", "psutil", "pandas", "pyarrow", "pyspark")  # compiled, or Spark's: they cannot be shipped so
MASTER_PORT = 7077
ANSWER_SECONDS = 5.0  # for a connection between machines
GRANT_SECONDS = 120.0  # until the master has given executors, and they have come
STORES_PORT = "spark.exactlyOnce.port"  # a setting of our own beside Spark's: where the runs' stores are served
THEIRS = (
    "spark.driver.host",
    "spark.executor.memory",
    "spark.executor.extraJavaOptions",
)  # a cluster's own, if given
STARTED = re.compile(r"Executor added: \S+ on \S+ \((.+?):\d+\)")
DIED = re.compile(r"Executor updated: \S+ is now (?:EXITED|FAILED)(?: \((.+)\))?")
LOG = """\
logger.client.name = org.apache.spark.deploy.client
logger.client.level = info
"""
SIGNS = (  # in the driver's log, when a task fails before it has begun
    (
        r"Python in worker has different version: (\S+?) than that in driver: (\S+?),",
        "The workers' Python is {0}, and this notebook's is {1}; both need the same minor version. Set "
        "PYSPARK_PYTHON to the workers' {1}, or start the notebook with Python {0}.",
    ),
    (
        r'Cannot run program "(.+?)"',
        "The workers have no Python {0!r}. Set PYSPARK_PYTHON to what they call the Python of this notebook.",
    ),
)


def python():
    """Return what the workers call their Python: PYSPARK_PYTHON, else this one's name with its minor version."""
    return os.environ.get("PYSPARK_PYTHON") or f"python{sys.version_info[0]}.{sys.version_info[1]}"


def own_address(master):
    """Return the address at which a master's machines reach this one: SPARK_LOCAL_IP, else that of the way there.

    Raises `CourseError` when no standalone master answers at `master`. Of another kind of master nothing is known.
    """
    if not master.startswith("spark://"):
        return os.environ.get("SPARK_LOCAL_IP")
    places = master.removeprefix("spark://").split(",")
    for place in places:
        host, _, port = place.partition(":")
        with (
            contextlib.suppress(OSError, ValueError),
            socket.create_connection((host, int(port or MASTER_PORT)), ANSWER_SECONDS) as connection,
        ):
            return os.environ.get("SPARK_LOCAL_IP") or connection.getsockname()[0]
    raise CourseError(
        f"No Spark master answers at {', '.join(places)}. Is the address right (its web page says it), does the "
        f"master run, and does a firewall let this machine through to that port?"
    )


def archive(folder):
    """Write what the workers need of this library to an archive in `folder`, and return its path."""
    path = Path(folder) / f"{SHIPPED}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for root, name in ((PACKAGE, "exactly_once"), (Path(cloudpickle.__file__).parent, "cloudpickle")):
            for each in sorted(root.rglob("*.py")):
                file.write(each, Path(name) / each.relative_to(root))
        for each in DATA.glob("*.csv"):
            file.write(each, Path("exactly_once/data") / each.name)
        file.write(Path(__file__).with_name("ahead.py"), f"{AHEAD}.py")
    return path


def settings(shape, folder, java_options):
    """Return Spark's settings for a cluster that is not ours: its size is bounded, so that others have room there."""
    host = own_address(shape.master)
    return ({"spark.driver.host": host} if host else {}) | {
        "spark.cores.max": str(shape.executors * shape.cores),
        "spark.executor.instances": str(shape.executors),  # what YARN and Kubernetes call it
        "spark.executor.cores": str(shape.cores),
        "spark.executor.extraJavaOptions": " ".join(java_options),
        "spark.archives": f"{archive(folder)}#{SHIPPED}",
        "spark.executorEnv.PYTHONPATH": SHIPPED,
        "spark.python.daemon.module": AHEAD,
        "spark.speculation": "false",  # two attempts would live the same incarnation
    }


def way_here(conf):
    """Return how tasks elsewhere reach a process of this machine: (the host, where that process listens).

    `conf` is Spark's configuration of the driver; all is as Spark has it for the driver itself, and the port is
    `STORES_PORT`, or any.
    """
    host = conf.get("spark.driver.host")
    return host, (conf.get("spark.driver.bindAddress", host), int(conf.get(STORES_PORT, "0")))


def await_executors(running, alive):
    """Wait until the executors that were asked for are there. Raises `CourseError` when they do not come.

    `alive(running)` tells whether Spark still runs here: it gives up when no master takes it.
    """
    wanted, log = running.driver.shape.executors, running.driver.folder.log
    deadline = time.monotonic() + GRANT_SECONDS
    while True:
        if not alive(running):
            raise CourseError("The cluster ended the application.")  # or refused it: the log tells
        here = running.context._jsc.sc().getExecutorMemoryStatus().size() - 1
        if here >= wanted:
            return
        if time.monotonic() > deadline:
            raise CourseError(_why_none(running, wanted, here, log.read_text() if log.exists() else ""))
        time.sleep(0.05)


def gave_up(log):
    """Tell whether the driver's log says that no master took the application; its Java ends by itself then."""
    return "All masters are unresponsive" in (log.read_text() if log.exists() else "")


def refused(shape):
    """Return the `CourseError` for a master that does not take the application; it does not say why."""
    return CourseError(
        f"The master {shape.master} did not take this application. Either it has another version of Spark than "
        f"{version('pyspark')}, or it asks for a secret: put spark.authenticate and spark.authenticate.secret into a "
        "spark-defaults.conf, and name its folder in SPARK_CONF_DIR."
    )


def _why_none(running, wanted, here, log):
    shape, conf = running.driver.shape, running.context.getConf()
    asked = (
        f"{wanted} executors with {shape.cores} core{'s' * (shape.cores > 1)} and {conf.get('spark.executor.memory')}"
    )
    if len(hosts := STARTED.findall(log)) > here:
        place = f"{conf.get('spark.driver.host')}, port {conf.get('spark.driver.port')}"
        said = next((f" ({reason})" for reason in reversed(DIED.findall(log)) if reason), "")
        return (
            f"The cluster started executors on {', '.join(sorted(set(hosts)))}, and {here} of {wanted} got through "
            f"to this notebook at {place}{said} within {GRANT_SECONDS:g} s. If the cluster is busy, call cluster() "
            "again. Else: they connect to spark.driver.port and spark.blockManager.port of spark.driver.host; fix "
            "these in a spark-defaults.conf in SPARK_CONF_DIR, and open them in the firewall."
        )
    return (
        f"The master {shape.master} gave this notebook {here or 'none'} of {asked} within {GRANT_SECONDS:g} s: "
        f"{_offered(running)} What others' applications hold is not free. Wait for them, or ask for less."
    )


def _offered(running):
    """Return a sentence on the workers of a standalone master, by asking it; what they have free it does not tell."""
    jvm, spark = running.context._jvm, "org.apache.spark.deploy"
    with contextlib.suppress(Exception):  # another kind of master, or one that is gone
        host, _, port = running.driver.shape.master.removeprefix("spark://").partition(",")[0].partition(":")
        request = (
            jvm.java.lang.Class.forName(f"{spark}.DeployMessages$RequestMasterState$").getField("MODULE$").get(None)
        )
        kind = jvm.java.lang.Class.forName(f"{spark}.DeployMessages$MasterStateResponse")
        environment = running.context._jsc.sc().schedulerBackend().rpcEnv()
        master = environment.setupEndpointRef(jvm.org.apache.spark.rpc.RpcAddress(host, int(port)), "Master")
        workers = master.askSync(request, jvm.scala.reflect.ClassTag.apply(kind)).workers()
        found = [(one.cores(), one.memory()) for one in workers if str(one.state()) == "ALIVE"]
        each = ", ".join([f"{cores} cores and {memory} MiB" for cores, memory in found])
        return f"it has {len(found)} worker{'s' * (len(found) != 1)}{f', with {each}' if found else ''}."
    return "what it has, it does not say."


def first_look(running, address, work):
    """See the workers do a job, and look there at what incarnations need. Returns whether they may kill executors.

    `address` is where the stores of runs are served. `work(job, look)` returns what `job()` does, and calls `look()`
    meanwhile. Raises `CourseError` for what is missing.
    """
    tasks, context = running.driver.shape.executors * running.driver.shape.cores, running.context
    look = _probe(NEEDED, address, ANSWER_SECONDS)

    def job():
        context.setJobGroup("exactly_once", "first look", interruptOnCancel=True)
        return context.parallelize(range(tasks), tasks).mapPartitions(look).collect()

    found = work(job, lambda: _sign(running.driver.folder.log))
    for host, lacks, unreached, _ in found:
        if lacks:
            raise CourseError(
                f"The Python of the workers ({python()} on {host}) lacks {', '.join(lacks)}. Install them there "
                f"(pip install {' '.join(lacks)}), or name a Python that has them in PYSPARK_PYTHON."
            )
        if unreached:
            raise CourseError(
                f"The workers (on {host}) do not reach this notebook's stores at {address[0]}, port {address[1]} "
                f"({unreached}). Fix that port by {STORES_PORT} in a spark-defaults.conf in SPARK_CONF_DIR, and open "
                "it in the firewall; spark.driver.host says at which address."
            )
    return all(may for *_, may in found)


def _sign(log):
    """Raise `CourseError` when the driver's log says why tasks fail before they begin."""
    text = log.read_text() if log.exists() else ""
    for pattern, sentence in SIGNS:
        if said := re.search(pattern, text):
            raise CourseError(sentence.format(*said.groups()))


def _probe(needed, address, seconds):
    """Return the work of one task. It is sent by value, and needs nothing there but Python."""

    def look(numbers):
        import importlib.util
        import os
        import socket

        list(numbers)
        lacks = [name for name in needed if importlib.util.find_spec(name) is None]
        unreached, may = "", False
        try:
            socket.create_connection(address, seconds).close()
        except OSError as why:
            unreached = why.strerror or str(why)
        if not lacks:
            import psutil

            with contextlib.suppress(OSError):
                java = next(one for one in psutil.Process().parents() if "--executor-id" in one.cmdline())
                os.kill(java.pid, 0)
                may = True
        yield socket.gethostname(), lacks, unreached, may

    return look

"""The settings of a cluster: its master, Spark's settings, Java's options, its folder and its log.

All of it is plain data, made here and nowhere else. Why each setting is as it is stands beside it.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ... import owned
from ...errors import BadInput, CourseError, whole
from ...java import finder as javas
from ...paths import temporary
from . import processes

HEAP = 512  # MiB; below Spark's floor of 450 MiB as the collector counts it, executors die and restart for ever
LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
MASTERS = re.compile(r"local(\[([1-9]\d*|\*)(\s*,\s*[1-9]\d*)?\])?")
SLIM = (  # halves the memory of a Java process, and its start
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xss1m",
    "-XX:ReservedCodeCacheSize=64m",
    "-Xms48m",
    "-XX:MinHeapFreeRatio=10",
    "-XX:MaxHeapFreeRatio=25",
)
DROPPED = {  # variables of the kernel's that would change what we start, or make it print
    "SPARK_CONF_DIR",
    "SPARK_LOCAL_DIRS",
    "SPARK_REMOTE",
    "PYTHONSTARTUP",
}
NAMELESS = Path(javas.__file__).with_name("nameless")  # a class of Java's own, by the name of its package
PAGES_CLOSED = "org.apache.spark.ui.JWSFilter"
SOCKETS = "eo_sockets"  # how folders begin that stand beside other programs' temporary files
BESIDE = "/tmp"  # where they are: the path of a Unix socket has to be short, whatever this process's folders are
CLUSTERS = "spark", "runs"  # where the folders of drivers are, below the course's temporary folder
SPLITS = {":": "a colon", "\n": "a new line"}  # in a path: there Java, or its options, are split
LOGGING = """\
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
appender.out.type = Console
appender.out.target = SYSTEM_ERR
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
logger.client.name = org.apache.spark.deploy.client
logger.client.level = info
"""


@dataclass(frozen=True)
class Shape:
    """A master, and the number of executors to wait for."""

    master: str
    executors: int
    heap: int  # MiB of one executor

    @property
    def memory(self) -> int:
        """MiB that a start takes in all, with a little to spare (PSS of all its processes)."""
        return 400 + 350 * self.executors


def shape_of(master: str | None = None, slots: int | None = None) -> Shape:
    """Return the `Shape` asked for: `master`, else two executors that share `slots` cores.

    `slots` is 2 unless given. Raises `BadInput` for another kind of master, and for a number of slots that two
    executors cannot share.
    """
    if master is None:
        master = f"local-cluster[2,{_cores(slots)},{HEAP}]"
    if not isinstance(master, str):
        raise BadInput(f"master is {master!r}; it must be a text such as 'local-cluster[2,1,512]'.")
    if found := LOCAL_CLUSTER.fullmatch(master):
        executors, cores, heap = map(int, found.groups())
        if not (executors and cores) or heap < HEAP:
            raise BadInput(
                f"master is {master!r}; it needs at least one executor, one core and {HEAP} MiB "
                "(with less, executors die and start again for ever)."
            )
        return Shape(master, executors, heap)
    if not MASTERS.fullmatch(master):
        raise BadInput(
            f"master is {master!r}; the course knows local-cluster[2,1,512], local[2], local[*] and local[2,4] "
            "(the 4 is how often a task may fail)."
        )
    return Shape(master, 0, HEAP)


def _cores(slots: int | None) -> int:
    """Return the cores of each of two executors that share `slots`, which are 2 unless given."""
    slots = 2 if slots is None else whole("slots", slots, 2, 16)
    if slots % 2:
        raise BadInput(f"slots is {slots}; two executors share them, so it must be even, such as 2 or 4.")
    return slots // 2


@dataclass(frozen=True)
class Folder:
    """All that one driver writes, in one place."""

    path: Path
    log: Path  # what Spark and its Java say; outlives the run, so that an error message can name it
    sockets: Path  # where Python and Java meet: this user alone can enter it

    @classmethod
    def make(cls, jars: Path) -> Folder:
        """Make the folder of a new run of this process's. `jars` is PySpark's own folder of that name.

        Its `home` is what Spark takes for its installation: there executors put their `work` folder, which otherwise
        lands beside the installed package. Without a copy of the Python library in it, workers
        import the installed one, which is compiled already. Raises `CourseError` for a place where Java cannot work.
        """
        path = owned.new_folder("/".join(CLUSTERS), "cluster")
        for sign, what in SPLITS.items():
            if sign in str(path):
                raise CourseError(
                    f"The course's temporary folder {str(temporary())!r} has {what} in its name, at which Java takes "
                    "the name apart. Set EXACTLY_ONCE_TMP to a folder without one, and begin anew."
                )
        for part in ("home/work", "local", "tmp", "warehouse"):
            (path / part).mkdir(parents=True, exist_ok=True)
        (path / "home" / "jars").symlink_to(jars)
        (path / "log4j2.properties").write_text(LOGGING)
        owner = owned.me()
        sockets = Path(tempfile.mkdtemp(prefix=f"{SOCKETS}-{owner.pid}-{owner.start}-", dir=BESIDE))
        return cls(path, temporary("spark", "logs") / f"{path.name}.log", sockets)

    @property
    def work(self) -> Path:
        """Where executors keep a folder each, below one for the application."""
        return self.path / "home" / "work"

    def executor_errors(self) -> Iterator[Path]:
        """Yield what the executors wrote to their standard errors, as paths, the oldest first."""
        yield from sorted(self.work.glob("app-*/*/stderr"), key=lambda path: path.stat().st_mtime)

    def remove(self) -> None:
        """Remove all but the log."""
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.rmtree(self.sockets, ignore_errors=True)


def sweep(keep_logs: int = 8) -> None:
    """Remove the folders of drivers, runs and proofs whose owner is dead, and all old logs but the newest.

    The logs of a run that has its folder stay. Notebooks with different leases may sweep at the same time.
    """
    for place in ("/".join(CLUSTERS), owned.RUNS, owned.PROOFS):
        owned.sweep(place)
    for path in Path(BESIDE).glob(f"{SOCKETS}-*-*-*"):
        owner = owned.Owner.parse(":".join(path.name.split("-")[1:3]))
        if owner is not None and not owner.alive():
            shutil.rmtree(path, ignore_errors=True)  # another user's stays: it cannot be removed
    written = {}
    for path in temporary("spark", "logs").iterdir():
        with contextlib.suppress(FileNotFoundError):  # another notebook was faster
            written[path] = path.stat().st_mtime
    in_use = {path.name for path in temporary(*CLUSTERS).iterdir()}  # asked for last: a log's folder is older
    old = [path for path in written if path.stem not in in_use]
    for path in sorted(old, key=written.__getitem__, reverse=True)[keep_logs:]:
        path.unlink(missing_ok=True)


def java_options(folder: Folder, owner: owned.Owner, lease: str, archive: Iterable[str] = ()) -> list[str]:
    """Return the options of a Java process on this machine: slim, marked as ours, writing only below `folder`.

    `archive` is the result of `archive.options`.
    """
    return [
        *SLIM,
        *archive,
        f"{processes.OWNER}{owner}",
        f"{processes.LEASE}{lease}",
        f"-Djava.io.tmpdir={folder.path / 'tmp'}",
        *nameless(folder.path / "tmp"),
        f"-XX:ErrorFile={folder.path / 'tmp' / 'hs_err_%p.log'}",
        "-XX:-UsePerfData",  # otherwise a file below /tmp for each process, whatever java.io.tmpdir says
        "-Djava.net.preferIPv4Stack=true",  # one loopback to look at, not two
        f"-Dlog4j2.configurationFile={(folder.path / 'log4j2.properties').as_uri()}",
    ]


def nameless(home: Path) -> list[str]:
    """Return the options of a Java for an account that has no line in passwd: containers of OpenShift have such.

    Java finds neither a home nor a name for it, and Hadoop's login fails. `home` is taken for its home, and Java's
    own class that asks for the name is replaced by one that takes it from the options.
    """
    try:
        pwd.getpwuid(os.getuid())
    except KeyError:
        return [
            f"-Duser.home={home}",
            f"-Duser.name=user-{os.getuid()}",
            f"-Dexactly_once.uid={os.getuid()}",
            f"--patch-module=jdk.security.auth={NAMELESS}",
        ]
    return []


def _quoted(option: str) -> str:
    """Return a Java option for a line of them, as Spark takes it apart (`Utils.splitCommandString`)."""
    return '"' + re.sub(r'(["\\])', r"\\\1", option) + '"'


def environment(folder: Folder, owner: owned.Owner, lease: str, java: javas.Java) -> dict[str, str]:
    """Return the environment of the driver's Java process; executors and Python workers inherit it."""
    return {key: value for key, value in javas.environment().items() if key not in DROPPED} | {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "127.0.0.1",
        "JAVA_HOME": str(java.home),
        "SPARK_HOME": str(folder.path / "home"),
        "SPARK_SCALA_VERSION": "2.13",  # as Spark's own start script says; without it the launcher looks for a build
        "SPARK_CONNECT_MODE": "0",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0"),
        "TMPDIR": str(folder.path / "tmp"),
        "MALLOC_ARENA_MAX": "1",  # glibc reserves memory for each thread otherwise
        "EXACTLY_ONCE_LEASE": lease,
        processes.OWNER_VARIABLE: str(owner),
    }


def spark_settings(
    shape: Shape, folder: Folder, owner: owned.Owner, lease: str, archive: Iterable[str] = ()
) -> dict[str, str]:
    """Return Spark's settings for a cluster of this shape, as a dictionary, with a secret of its own each time.

    They go to the driver through its gateway, never by a command line, which all users of the machine can read.
    Source: Spark 4.3, "Security", "Spark RPC".
    """
    settings = {
        "spark.master": shape.master,
        "spark.app.name": "exactly_once",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.task.maxFailures": "200",  # a live run dies as often as its learner likes
        "spark.stage.maxConsecutiveAttempts": "1000",
        "spark.deploy.maxExecutorRetries": "-1",  # never give up on an application whose executors are killed
        "spark.locality.wait": "0s",  # a takeover may go to any executor, at once
        "spark.sql.shuffle.partitions": "2",
        "spark.executor.memory": f"{shape.heap}m",
    }
    options = java_options(folder, owner, lease, archive)
    settings |= {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.authenticate": "true",  # the ports are open to all users of the machine: a job runs as the learner
        # It goes to executors by their environment, which is their own.
        "spark.authenticate.secret": secrets.token_hex(32),
        # a list with commas between, so a folder with a comma in its name cannot stand there
        "spark.local.dir": str((folder.sockets if "," in str(folder.path) else folder.path) / "local"),
        "spark.sql.warehouse.dir": (folder.path / "warehouse").as_uri(),
        "spark.executor.extraJavaOptions": " ".join(map(_quoted, options)),
        # The pages of masters and workers, which nothing turns off, would answer every user of the machine. They
        # answer who shows a token that is signed with this key, and nobody is given one.
        "spark.ui.filters": PAGES_CLOSED,
        f"spark.{PAGES_CLOSED}.param.secretKey": secrets.token_urlsafe(64),
        "spark.python.daemon.module": processes.DAEMON,  # a takeover begins without importing anything
        # in a closed folder: a daemon forks for whoever reaches its port, and asks later
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.python.unix.domain.socket.dir": str(folder.sockets),
        "spark.executor.logs.rolling.strategy": "size",
        "spark.executor.logs.rolling.maxSize": "1048576",
        "spark.executor.logs.rolling.maxRetainedFiles": "2",
    }
    return settings

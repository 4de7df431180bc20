"""One run of a cluster, from the first Java process to the last: start it, see it do a job, end it.

`cluster` decides when; this does it. A start either returns a session on which both executors
have done work, or raises one sentence and leaves no process behind.
"""

import contextlib
import logging
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from ...errors import CourseError
from ...java import memory
from ...java.finder import Java, find_java, jars, shortage
from . import archive as archives
from . import handover, lease, settings
from .driver import Driver, launch, variables

START_LIMIT = 120  # s for executors and the first job; on two cores it takes 5 s, with one slow core 40 s
RESTARTS = 4  # this many executors more than asked for, before the first job: they die and start again
STOP_LIMIT = 10  # s that Spark has for stopping by itself
TRAINING_LIMIT = 200  # s; Java writes the archive of classes when it ends


@dataclass
class Running:
    """A started cluster: its session, its driver, and the state of Python before it."""

    session: Any
    driver: Driver
    context: Any
    path: list
    handler: Any
    started: float  # s that the start took


def start(
    shape: settings.Shape, take_over: bool = False, progress: Callable[[str], object] | None = None,
    archive: tuple[str, ...] | None = None,
) -> Running:  # fmt: skip
    """Start a cluster of this shape and return it as a `Running`, after its first job.

    `archive` are the driver's options in place of those of `archive.options`; executors have none then. Raises
    `CourseError`: no Java, too little memory, another's cluster (`lease.ClusterBusy`), a Spark that the learner
    started, a start that fails.
    """
    say, tell = progress or (lambda sentence: None), progress or handover.tell
    java = find_java()
    _refuse_foreign()
    shared = archives.options(java) if archive is None else archive
    began = time.monotonic()
    say("Starting Java …")
    driver = _launch(shape, java, take_over, tell, shared)
    path, handler = list(sys.path), signal.getsignal(signal.SIGINT)
    try:
        gateway = _gateway(driver)
        say("Java runs; starting Spark …")
        session = _open(gateway, driver, shared if archive is None else ())
        running = Running(session, driver, session.sparkContext, path, handler, 0.0)
        say("Waiting for the first job …")
        first_job(running)
        running.started = time.monotonic() - began
        return running
    except BaseException as why:
        died = not driver.wait(0.5)
        said = explain(why)  # while Java is there to be asked
        _keep_executor_errors(driver)
        reset_pyspark(path, handler)
        driver.end(at_once=True)
        if not isinstance(why, Exception) or (isinstance(why, CourseError) and not died):
            raise
        raise CourseError(f"The cluster did not start: {said} Spark's log: {driver.folder.log}") from None


def train(draft: str) -> None:
    """Write the archive of the driver's classes to `draft`.

    A cluster of its own performs the common work of a cluster once. `archive` starts this in a process of its own,
    because one Python process has one Spark.
    """
    running = start(
        settings.shape_of("local-cluster[2,1,512]"),
        archive=(f"-XX:ArchiveClassesAtExit={draft}",),
    )
    try:
        session, process = running.session, running.driver.process
        numbers = session.sparkContext.parallelize(range(8), 2)
        numbers.map(lambda number: (number % 2, number)).reduceByKey(lambda one, other: one + other).collect()
        numbers.foreachPartition(lambda numbers: list(numbers))
        frame = session.createDataFrame([(1, "a"), (2, "b")], ["number", "word"])
        frame.groupBy("word").count().toPandas()
        session.stop()
        process.stdin.close()
        process.wait(TRAINING_LIMIT)
    finally:
        end(running)


def end(running: Running) -> None:
    """Stop a cluster: Spark first, then the rest of its processes, its files last. Never raises."""
    if running.driver.running():
        within(STOP_LIMIT, lambda: _stop_quietly(running))
    reset_pyspark(running.path, running.handler)
    running.driver.end()
    running.driver.folder.remove()
    log = running.driver.folder.log
    with contextlib.suppress(OSError):
        lines = [line for line in log.read_text().splitlines() if line.strip()]
        if all(line.startswith("WARNING: ") or " INFO " in line for line in lines):
            log.unlink()  # it says nothing


def alive(running: Running) -> bool:
    """Tell whether a cluster's session can be used: Java runs and Spark was not stopped."""
    from py4j.protocol import Py4JError

    if not running.driver.running() or running.context._jsc is None:
        return False
    try:
        return not running.context._jsc.sc().isStopped()
    except (Py4JError, OSError):
        return False


def first_job(running: Running, restarts: float = RESTARTS) -> None:
    """See both executors do work, within START_LIMIT seconds, or raise `CourseError` with what to do.

    `restarts` is how many executors more than asked for may have begun by then.
    """
    driver, context = running.driver, running.context
    wanted = driver.shape.executors
    deadline = time.monotonic() + START_LIMIT
    while wanted and context._jsc.sc().getExecutorMemoryStatus().size() <= wanted:
        begun = len(list(driver.folder.work.glob("app-*/*")))
        if begun > wanted + restarts:
            raise _stuck(driver, "Executors die and start again")
        if time.monotonic() > deadline:
            raise _stuck(driver, f"{wanted} executors did not come up within {START_LIMIT} s")
        time.sleep(0.02)
    parts = max(wanted, 1)

    def work() -> int:
        context.setJobGroup("exactly_once", "first job", interruptOnCancel=True)
        return context.parallelize(range(parts), parts).count()

    finished, result = within(max(1, deadline - time.monotonic()), work)
    if not finished:
        raise _stuck(driver, f"The cluster's first job did not finish within {START_LIMIT} s")
    if isinstance(result, BaseException):
        raise result


def within(limit: float, work: Callable[[], Any]) -> tuple[bool, Any]:
    """Call `work()` in a thread of its own and return (finished within `limit` seconds, its result or exception)."""
    result = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as why:  # noqa: BLE001 - handed to the caller, who knows what it means
            result.append(why)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(limit)
    return bool(result), result[0] if result else None


def reset_pyspark(path: list[str], handler: Any) -> None:
    """Make PySpark forget its Java process, so that the next start gets a new one; undo its changes to Python."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway, context = SparkContext._gateway, cast(Any, SparkContext._active_spark_context)
    if context is not None and getattr(context, "_accumulatorServer", None):
        context._accumulatorServer.shutdown()
        context._accumulatorServer = None
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    if gateway is not None:
        within(STOP_LIMIT, gateway.shutdown)
    sys.path[:] = [place for place in sys.path if place in path or "spark-" not in place]
    if threading.current_thread() is threading.main_thread() and handler is not None:
        signal.signal(signal.SIGINT, handler)


def explain(why: BaseException) -> str:
    """Return one sentence for an error of Spark or Java."""
    java, text = getattr(why, "java_exception", None), type(why).__name__
    with contextlib.suppress(Exception):  # both ask the Java process, which may be gone by now
        text = java.toString() if java is not None else str(why)
    lines = text.strip().splitlines()
    line = (lines[0] if lines else type(why).__name__).rstrip(".")
    if "BindException" in line or "Address already in use" in line:
        return f"no network port was free ({line}). Close programs that hold many connections, then try again."
    if shortage(line):
        return f"memory was short ({line}); {memory.available() // memory.MIB} MiB are free. Close other notebooks."
    return f"{line}."


def _launch(
    shape: settings.Shape, java: Java, take_over: bool, tell: Callable[[str], object], shared: tuple[str, ...]
) -> Driver:
    name, owner = lease.lease_name(), lease.me()
    with lease.one_start_at_a_time(name):
        lease.clear_the_way(name, take_over, tell)
        memory.check(shape.memory)
        settings.sweep()
        folder = settings.Folder.make(jars())
        return launch(shape, folder, owner, name, java, shared)


def _gateway(driver: Driver) -> Any:
    import pyspark.sql  # noqa: F401  (takes as long as Java needs to come up: done meanwhile)

    _hush_py4j()
    return driver.open_gateway()


def _hush_py4j() -> None:
    """Keep py4j's complaints out of the notebook: each of them reaches its caller as an exception as well.

    One of its modules writes to the root logger, which prints; it is handed py4j's own logger instead.
    """
    from py4j import java_gateway

    quiet = logging.getLogger("py4j")
    quiet.addHandler(logging.NullHandler())
    quiet.propagate = False
    java_gateway.logging = quiet


def _open(gateway: Any, driver: Driver, executor_archive: tuple[str, ...]) -> Any:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    conf = SparkConf(loadDefaults=False, _jvm=gateway.jvm)
    wanted = settings.spark_settings(driver.shape, driver.folder, lease.me(), lease.lease_name(), executor_archive)
    for key, value in wanted.items():
        conf.set(key, value)
    with variables(PYSPARK_PYTHON=sys.executable):
        context: Any = SparkContext(gateway=gateway, conf=conf)
    context._accumulatorServer.handle_error = lambda *request: None  # prints a traceback when the driver is killed
    return SparkSession(context)


def _refuse_foreign() -> None:
    """Raise `CourseError` when a Spark that is not ours runs in this process; clear away one that was stopped."""
    if "pyspark" not in sys.modules:
        return
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:
        raise CourseError(
            f"A Spark session of your own runs here already (master {SparkContext._active_spark_context.master}). "
            "Stop it with its stop(), then call cluster() again."
        )
    if SparkContext._gateway is not None:
        process = getattr(SparkContext._gateway, "proc", None)
        reset_pyspark(list(sys.path), None)
        if process is not None and process.stdin is not None:
            process.stdin.close()  # on the end of its input, that Java process ends


def _stop_quietly(running: Running) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        running.session.stop()


def _stuck(driver: Driver, what: str) -> CourseError:
    free = memory.available() // memory.MIB
    return CourseError(
        f"{what}. Usually memory is short ({free} MiB are free): close other notebooks, then call cluster() again. "
        f"What the executors said is in {driver.folder.log}."
    )


def _keep_executor_errors(driver: Driver) -> None:
    """Append the ends of the last executors' errors to the log, because their own files go with the run's folder."""
    for path in list(driver.folder.executor_errors())[-4:]:
        with (
            contextlib.suppress(OSError),
            open(driver.folder.log, "a") as log,
            open(path, errors="replace") as errors,
        ):
            log.write(f"--- {path}\n")
            log.writelines(errors.readlines()[-40:])

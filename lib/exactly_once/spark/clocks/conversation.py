"""Four real processes in conversation, each with a wall clock that is wrong on purpose."""

import re
import secrets
import time
from dataclasses import dataclass

import pandas

from ...clocks import Event, History
from ...errors import BadInput, CourseError, is_number, whole
from ..cluster.cluster import checked_session, cluster
from ..run.tasks import SparkTask, slots_of
from ..task.folder import RunFolder
from .peer import PeerConfig, name, speak

SETTLING = 10  # s more than a process may take, for the start of the tasks and the exchange of ports
CLOSED = re.compile("hung up|reset|refused|Broken pipe")  # by the other process
SKEW = (0, 4, -3, 7)  # minutes by which each process's wall clock is wrong at the start
DRIFT = (0, 2, 5, -0.01)  # minutes that it gains with every second


@dataclass(frozen=True)
class Conversation:
    """The events of the processes: `history`, and `table` with their stamps and clocks, a row for each place.

    The columns of `table`: `process`; `event`, its number there from 1; `kind`; `message`; `stamp`, by the Lamport
    clock that travelled in the messages; `clock`, by the process's own wrong wall clock.
    """

    history: History
    table: pandas.DataFrame
    seconds: float


def exchange_messages(rounds=20, seed=1, spark=None, patience=30.0, pace=0.002):
    """Let four processes, tasks of the cluster, exchange messages over sockets. Returns a `Conversation`.

    rounds: in each, every process does one to three things, local or a send, and then waits for what was sent to it.
    seed: decides their actions; who is faster, and so the order of arrival, is up to the machine. patience: seconds
    that the processes may take. pace: seconds between two actions of a process, on average. spark: a session with
    four places for tasks. Default: `cluster(slots=4)`.

    Takes 1 s. Raises `BadInput` for numbers that make no sense, `CourseError` when the session has too few places, or
    the processes are not through in time.
    """
    whole("rounds", rounds, least=1, most=10_000)
    whole("seed", seed)
    for what, seconds, most in (("patience", patience, 3_600), ("pace", pace, 60)):
        if not is_number(seconds) or not 0 < seconds <= most:
            raise BadInput(f"{what} is {seconds!r}; it is a number of seconds above 0, up to {most}.")
    spark = cluster(slots=4) if spark is None else checked_session(spark)
    _check_places(spark, len(SKEW))
    secret, began = secrets.token_hex(8), time.perf_counter()
    folder = RunFolder.make("talk")
    roles = [
        PeerConfig(number, len(SKEW), rounds, seed, pace, SKEW[number], DRIFT[number], patience, secret, folder)
        for number in range(len(SKEW))
    ]
    try:
        histories = _wait(SparkTask(spark, roles, speak), patience)
    finally:
        folder.remove()
    return _conversation(histories, time.perf_counter() - began)


def _check_places(spark, wanted):
    """Raise `CourseError` for a session on which the tasks cannot all run at once."""
    places = slots_of(spark)
    if places < wanted:  # Spark itself would wait ten minutes before it says so
        raise CourseError(
            f"The cluster has {places} places for tasks, and {wanted} processes must run at once. "
            f"Call cluster(slots={wanted + wanted % 2})."
        )


def _wait(task, patience):
    """Return the events of each process. Raises `CourseError` when one failed or the time is up."""

    def late():
        return CourseError(
            f"The processes were not through within {patience + SETTLING:g} s and were stopped. Another job may hold "
            "the cluster's places: stop it, or call stop_cluster() and run the cell again."
        )

    # Whatever they do: they have that long in all.
    endings = task.wait(patience + SETTLING, late, lambda: "as it was")
    failed = [found for kind, found in endings if kind == "failed"]
    if failed:
        first = min(failed, key=lambda one: bool(CLOSED.search(one)))  # who closed it had a reason, which says more
        raise CourseError(f"{first} Run the cell again; with more rounds, give more patience than {patience:g} s.")
    return [found for _, found in endings]


def _conversation(histories, seconds):
    rows = [
        (name(number), place, kind, message, stamp, clock)
        for number, events in enumerate(histories)
        for place, (kind, message, stamp, clock) in enumerate(events, 1)
    ]
    rows.sort(key=lambda row: (row[4], row[0]))
    table = pandas.DataFrame(rows, columns=["process", "event", "kind", "message", "stamp", "clock"])
    table["clock"] = pandas.to_datetime(table["clock"], unit="s").dt.floor("us")
    history = History(Event(process, kind, message) for process, _, kind, message, _, _ in rows)
    return Conversation(history, table, seconds)

"""`open_log`: a log in memory or in SQLite files, by its address."""

from pathlib import Path

from ..errors import BadInput, CourseError
from ..paths import file_named
from .brokers import Log
from .controller import Controller
from .errors import CorruptLog
from .promises import Ledger
from .storage import MemoryDisk

MEMORY, SQLITE = "memory:", "sqlite:"


def open_log(where=MEMORY, brokers=None, flush="system", **options):
    """Open a log. Returns a `Log`.

    `where` is "memory:", for a new one in this process, or "sqlite:" and a folder, which may hold one already: a file
    for each broker, `broker-0.sqlite` and so on, and `controller.sqlite`. Any number of processes of one machine may
    have it open. `brokers` is how many there are: 1, unless the folder says otherwise. `flush` says what is asked for
    before files count as written (see `sqlite`): "system", "checkpoint" or "always".

    Options: `clock()` tells the time in milliseconds (default: the wall clock's). `replication="manual"`: followers
    fetch only when `replicate` is called. `elections="manual"`: a partition whose leader was killed waits for `elect`.
    `watch=True` notes every promise, for `snapshot()`.

    Raises `BadInput` for an address that makes no sense, `CorruptLog` for files that are damaged or not all there, and
    `CourseError` for files that cannot be used.
    """
    if where == MEMORY:
        controller = Controller(MemoryDisk("controller"), brokers)
        return Log(controller, [MemoryDisk(f"broker-{one}") for one in range(controller.brokers)], **options)
    if isinstance(where, Path):
        where = f"{SQLITE}{where}"
    if not isinstance(where, str) or not where.startswith(SQLITE) or where == SQLITE:
        raise BadInput(f'A log is at {where!r}; it can be at "memory:", or at "sqlite:" and the name of a folder.')
    from .sqlite import SQLiteDisk

    folder = file_named("The folder of a log", where.removeprefix(SQLITE))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise CourseError(
            f"The folder {folder} cannot be made ({why.strerror}); name a folder that you may write."
        ) from why
    controller = Controller(SQLiteDisk(folder / "controller.sqlite", flush=flush), brokers)
    new = not controller.topics()  # a log with topics has all its files, or some of them are gone
    disks = [SQLiteDisk(folder / f"broker-{one}.sqlite", None, flush, new) for one in range(controller.brokers)]
    if new and any(disk.replicas() for disk in disks) and not controller.topics():  # asked again: it may be new
        raise CorruptLog(
            f"The log {controller.disk.path} has lost its topics: there are records in {folder}, and it knows of none. "
            f"{SQLiteDisk.REMEDY[0].upper()}{SQLiteDisk.REMEDY[1:]}."
        )
    return Log(controller, disks, **options)


def load_log(dump, **options):
    """Return a log in memory with the contents of a `Log.dump()`; `options` as for `open_log`."""
    log = Log(Controller(MemoryDisk.load(dump["controller"])), map(MemoryDisk.load, dump["disks"]), **options)
    if dump["promises"] is not None:
        log.ledger = Ledger(dump["promises"])
    return log

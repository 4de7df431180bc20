"""`open_log`: a log in memory or in SQLite files, by its address."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ...errors import BadInput, CourseError
from ...paths import FileName, file_named
from ..broker.controller import Controller
from ..errors import WHOLE, CorruptLog
from ..ledger import Ledger
from ..log import Log
from ..storage.disk import LostDisk, MemoryDisk

Flush: TypeAlias = Literal["system", "checkpoint", "always"]
MEMORY, SQLITE = "memory:", "sqlite:"


def open_log(where: FileName = MEMORY, brokers: int | None = None, flush: Flush = "system", **options: Any) -> Log:
    """Open a log. Returns a `Log`.

    `where` is "memory:", for a new one in this process, or "sqlite:" and a folder, which may hold one already: a file
    for each broker, `broker-0.sqlite` and so on, and `controller.sqlite`. Any number of processes of one machine may
    have it open. `brokers` is how many there are: 1, unless the folder says otherwise. `flush` is the guarantee
    before files count as written (see `sqlite`): "system", "checkpoint" or "always".

    As long as more than half of the brokers' files can be used, the log opens without the others: those brokers are
    dead until `rebuild` fills them anew from the in-sync replicas. A file that lacks committed records, such as an
    old copy that was put back, leaves those in sync, and leads no more.

    Options: `clock()` tells the time in milliseconds (default: the wall clock's). `replication="manual"`: followers
    fetch only when `replicate` is called. `elections="manual"`: a partition whose leader was killed waits for
    `elect`. `watch=True` notes every promise, for `snapshot()`. `delivery_timeout_ms`: how long a client looks for a
    leader that moves (Kafka's delivery.timeout.ms). `truncation="high watermark"`: a broker that starts, or gets
    another leader, truncates its log to its last known high watermark, as Kafka did before 0.11 and lost records by
    it; the default, "leader epoch", compares epochs with the leader (KIP-101). `producer_expiration_ms`: after so
    long a partition forgets an idle producer (Kafka's producer.id.expiration.ms).

    Raises `BadInput` for an address that makes no sense, `CorruptLog` for files that are damaged or not all there,
    and `CourseError` for files that cannot be used.
    """
    if where == MEMORY:
        controller = Controller(MemoryDisk("controller"), brokers)
        return Log(controller, [MemoryDisk(f"broker-{one}") for one in range(controller.brokers)], **options)
    if isinstance(where, Path):
        where = f"{SQLITE}{where}"
    if not isinstance(where, str) or not where.startswith(SQLITE) or where == SQLITE:
        raise BadInput(f'A log is at {where!r}; it can be at "memory:", or at "sqlite:" and the name of a folder.')
    from ..storage.sqlite_disk import SQLiteDisk, begun_anew

    folder = file_named("The folder of a log", where.removeprefix(SQLITE))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise CourseError(
            f"The folder {folder} cannot be made ({why.strerror}); name a folder that you may write."
        ) from why
    controller = Controller(SQLiteDisk(folder / "controller.sqlite", flush=flush, remedy=WHOLE), brokers)
    new = not controller.topics()  # a log with topics has all its files, or some of them are gone
    disks: list[SQLiteDisk | LostDisk] = []
    for one in range(controller.brokers):
        path = folder / f"broker-{one}.sqlite"
        try:
            disks.append(SQLiteDisk(path, None, flush, new))
        except CorruptLog as why:
            disks.append(LostDisk(path.stem, why, functools.partial(begun_anew, path, flush)))
    lost = [disk for disk in disks if isinstance(disk, LostDisk)]
    try:
        if lost and (new or 2 * len(lost) >= len(disks)):
            raise lost[0].why
        if new and any(disk.replicas() for disk in disks) and not controller.topics():  # asked again: it may be new
            raise CorruptLog(
                f"The log {controller.disk.path} has lost its topics: there are records in {folder}, and it knows of "
                f"none. {WHOLE}"
            )
        log = Log(controller, disks, **options)
        log.admit()
    except BaseException:
        for disk in (controller.disk, *disks):
            disk.close()
        raise
    return log


def load_log(dump: Mapping[str, Any], **options: Any) -> Log:
    """Return a log in memory with the contents of a `Log.dump()`; `options` as for `open_log`."""
    log = Log(Controller(MemoryDisk.load(dump["controller"])), map(MemoryDisk.load, dump["disks"]), **options)
    if dump["promises"] is not None:
        log.ledger = Ledger(dump["promises"])
    return log

"""`open_log`: a log in memory or in SQLite files, by its address."""

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import BadInput, CourseError
from ...paths import FileName, file_named
from ..broker.controller import Controller
from ..ledger import Ledger
from ..log import Log
from ..storage.disk import MemoryDisk

MEMORY, SQLITE = "memory:", "sqlite:"


def open_log(where: FileName = MEMORY, brokers: int | None = None, **options: Any) -> Log:
    """Open a log. Returns a `Log`.

    `where` is "memory:", for a new one in this process, or "sqlite:" and a folder, which may hold one already: a file
    for each broker, `broker-0.sqlite` and so on, and `controller.sqlite`. Any number of processes of one machine may
    have it open. `brokers` is how many there are: 1, unless the folder says otherwise.

    Options: `clock()` tells the time in milliseconds (default: the wall clock's). `replication="manual"`: followers
    fetch only when `replicate` is called. `elections="manual"`: a partition whose leader was killed waits for
    `elect`. `watch=True` notes every promise, for `snapshot()`. `truncation="high watermark"`: a broker that starts,
    or gets another leader, truncates its log to its last known high watermark, as Kafka did before 0.11, and lost
    records by it; the default, "leader epoch", compares epochs with the leader (KIP-101).
    `producer_expiration_ms`: after so long a partition forgets an idle producer (producer.id.expiration.ms).

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
    from ..storage.sqlite_disk import SQLiteDisk

    folder = file_named("The folder of a log", where.removeprefix(SQLITE))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise CourseError(
            f"The folder {folder} cannot be made ({why.strerror}); name a folder that you may write."
        ) from why
    with contextlib.ExitStack() as opened:  # what is open is closed again if anything fails

        def disk(name: str, new: bool = True) -> SQLiteDisk:
            found = SQLiteDisk(folder / f"{name}.sqlite", new)
            opened.callback(found.close)
            return found

        first = not any(folder.glob("broker-*.sqlite"))  # they are made after the controller's file, which is there
        controller = Controller(disk("controller", first), brokers)
        new = not controller.topics()  # a log with topics has all its files, or some of them are gone
        disks = [disk(f"broker-{one}", new) for one in range(controller.brokers)]
        log = Log(controller, disks, **options)
        opened.pop_all()
        return log


def load_log(dump: Mapping[str, Any], **options: Any) -> Log:
    """Return a log in memory with the contents of a `Log.dump()`; `options` as for `open_log`."""
    log = Log(Controller(MemoryDisk.load(dump["controller"])), map(MemoryDisk.load, dump["disks"]), **options)
    if dump["promises"] is not None:
        log.ledger = Ledger(dump["promises"])
    return log

"""The broker's libraries: fetched from Maven Central once, as `jars.lock` names them, with their checksums.

Apache Ivy fetches them, which comes with PySpark; it is asked for these libraries alone, and resolves nothing. Scala,
Log4j and SLF4J come with PySpark, too, in the very versions that Kafka names.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ...errors import CourseError
from ...java.finder import environment, find_java, jars, quiet_options

LOCK = Path(__file__).with_name("jars.lock")
PLACE = Path(sys.prefix) / "kafka"
FROM_PYSPARK = ("scala-library", "log4j-api", "log4j-core", "log4j-slf4j2-impl", "slf4j-api")
FORMAT = "bootstrap.checkpoint"  # a cluster's features, as Kafka's own tool writes them; the same for every node
FETCH_SECONDS = 600
REMEDY = "Call `make servers` in the course's folder; it needs Maven Central once, and 38 MB."
IVY = """<ivy-module version="2.0"><info organisation="exactly-once" module="kafka"/>
<configurations><conf name="default"/></configurations><dependencies>
{dependencies}
</dependencies></ivy-module>"""
DEPENDENCY = '<dependency org="{}" name="{}" rev="{}" transitive="false" conf="default->master"/>'
FORMATTING = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:1
listeners=PLAINTEXT://127.0.0.1:2,CONTROLLER://127.0.0.1:1
controller.listener.names=CONTROLLER
log.dirs={folder}/data
"""


def locked() -> dict[str, str]:
    """Return {group:name:version: SHA-256} of the libraries."""
    return {name: digest for digest, name in map(str.split, LOCK.read_text().splitlines())}


def file_of(library: str) -> str:
    """Return the file name of a library that is named group:name:version."""
    _, name, version = library.split(":")
    return f"{name}-{version}.jar"


def fetched() -> bool:
    """Tell whether the broker is there, in the version of the lock."""
    return all((PLACE / name).is_file() for name in [*map(file_of, locked()), FORMAT])


def fetch(say: Callable[[str], None] = print) -> None:
    """Fetch the broker unless it is there, and compare each library with its checksum.

    `say` is told what is done. Raises `CourseError` when Maven Central cannot be reached, or sends another file.
    """
    if fetched():
        return
    say("Fetching Apache Kafka's broker from Maven Central (38 MB).")
    try:
        draft = Path(tempfile.mkdtemp(prefix="kafka-", dir=PLACE.parent))
    except OSError as why:
        raise CourseError(
            f"{PLACE.parent} cannot be written ({why.strerror}). Have its owner call `make servers`."
        ) from why
    try:
        _download(draft)
        for library, digest in locked().items():
            found = hashlib.sha256((draft / file_of(library)).read_bytes()).hexdigest()
            if found != digest:
                raise CourseError(
                    f"{file_of(library)} came with the SHA-256 {found}, and is {digest} in jars.lock: it was altered "
                    "on its way. Nothing of it is used. Fetch from another network."
                )
        _format(draft)
        shutil.rmtree(PLACE, ignore_errors=True)
        os.rename(draft, PLACE)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _download(folder: Path) -> None:
    """Have Ivy put the libraries into a folder."""
    (folder / "ivy.xml").write_text(
        IVY.format(dependencies="\n".join(DEPENDENCY.format(*name.split(":")) for name in locked()))
    )
    ivy = next(jars().glob("ivy-*.jar"))
    said = _run(
        "-jar", ivy, "-warn", "-ivy", folder / "ivy.xml", "-cache", folder / "cache", "-confs", "default", "-retrieve",
        f"{folder}/[artifact]-[revision].[ext]",
    )  # fmt: skip
    if not all((folder / file_of(name)).is_file() for name in locked()):
        raise CourseError(f"Maven Central did not give Apache Kafka's broker: {said.strip()[-600:]}")
    shutil.rmtree(folder / "cache")


def _format(folder: Path) -> None:
    """Write the first records of a cluster's metadata, as `kafka-storage.sh format` does, and keep them."""
    (folder / "format.properties").write_text(FORMATTING.format(folder=folder))
    tool = "kafka.tools.StorageTool", "format", "-t", "exactly-once-kafka-abc", "-c", folder / "format.properties"
    said = _run("-cp", classpath(folder), *tool)
    try:
        os.rename(folder / "data" / FORMAT, folder / FORMAT)
    except OSError:
        raise CourseError(f"Kafka's storage tool did not format a folder: {said.strip()[-600:]}") from None
    shutil.rmtree(folder / "data")


def _run(*arguments: str | Path) -> str:
    """Run Java, and return what it says."""
    java = find_java().executable
    try:
        done = subprocess.run(
            [str(java), *quiet_options(), *map(str, arguments)], env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=FETCH_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no answer within {FETCH_SECONDS} s"
    return done.stdout.decode(errors="replace")


def classpath(folder: Path | None = None) -> str:
    """Return the class path of the broker and its tools. Raises `CourseError` when they were not fetched."""
    if folder is None and not fetched():
        raise CourseError(f"Apache Kafka's broker is not here. {REMEDY}")
    folder = folder or PLACE
    shared = [str(found) for name in FROM_PYSPARK for found in jars().glob(f"{name}-[0-9]*.jar")]
    return os.pathsep.join([*(str(folder / file_of(name)) for name in locked()), *shared])

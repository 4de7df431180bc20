"""The broker's libraries: fetched from Maven Central once, as `locks/kafka.txt` names them, with their checksums.

Apache Ivy fetches them, which comes with PySpark; it is asked for these libraries alone, and resolves nothing. Scala,
Log4j and SLF4J come with PySpark, too, in the very versions that Kafka names.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from ...errors import CourseError
from ...java.finder import environment, find_java, jars, quiet_options
from ..kinds import FETCHED

LOCK = Path(__file__).parents[1] / "locks" / "kafka.txt"
PLACE = FETCHED / "kafka"
FROM_PYSPARK = ("scala-library", "log4j-api", "log4j-core", "log4j-slf4j2-impl", "slf4j-api")
FORMAT = "bootstrap.checkpoint"  # a cluster's features, as Kafka's own tool writes them: the same for every node
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


def fetch(folder: Path) -> None:
    """Bring the broker into a folder, compare each library with its checksum, and format a cluster.

    Raises `CourseError` without Java or PySpark, and for another file than the lock names; `OSError` when Maven
    Central cannot be reached.
    """
    ivy, ask = next(jars().glob("ivy-*.jar")), folder / "ivy.xml"
    ask.write_text(IVY.format(dependencies="\n".join(DEPENDENCY.format(*name.split(":")) for name in locked())))
    into = f"{folder}/[artifact]-[revision].[ext]"
    said = _run("-jar", ivy, "-warn", "-ivy", ask, "-cache", folder / "cache", "-confs", "default", "-retrieve", into)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    for library, digest in locked().items():
        path = folder / file_of(library)
        if not path.is_file():
            raise OSError(f"Maven Central did not give {path.name}; Ivy says: {said}")
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != digest:
            raise CourseError(
                f"{path.name} came with the SHA-256 {found}, and {LOCK.name} says {digest}: it was altered on its "
                "way. It is not used. Fetch it by another network."
            )
    config, data = folder / "format.properties", folder / "data"
    config.write_text(FORMATTING.format(folder=folder))
    tool = "kafka.tools.StorageTool", "format", "-t", "exactly-once-kafka-abc", "-c", config
    said = _run("-cp", _path(folder), *tool)
    if not (data / FORMAT).is_file():
        raise CourseError(f"Kafka's storage tool could not format a folder. It says: {said}")
    os.replace(data / FORMAT, folder / FORMAT)
    shutil.rmtree(data)


def _run(*arguments: str | Path) -> str:
    """Run Java, and return the last lines of its output."""
    command = [str(find_java().executable), *quiet_options(), *map(str, arguments)]
    done = subprocess.run(
        command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    lines = [line.strip(": \t\r") for line in done.stdout.decode(errors="replace").splitlines()]
    return " / ".join([line for line in lines if line][-4:])


def classpath() -> str:
    """Return the class path of the broker and of Kafka's tools. Raises `CourseError` when they are not here."""
    if not (PLACE / FORMAT).is_file():
        raise CourseError(
            "Apache Kafka's broker is not here. Call `make servers` in the course's folder: it brings it."
        )
    return _path(PLACE)


def _path(folder: Path) -> str:
    shared = [str(found) for name in FROM_PYSPARK for found in jars().glob(f"{name}-[0-9]*.jar")]
    return os.pathsep.join([*(str(folder / file_of(name)) for name in locked()), *shared])

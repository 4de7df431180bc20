"""A Kafka cluster of one node, or of several: each is broker and controller in one process (KRaft).

The broker's libraries are fetched from Maven Central once, as `locks/kafka.txt` names them, with their checksums.
Apache Ivy fetches them, which comes with PySpark; it is asked for these libraries alone, and resolves nothing. Scala,
Log4j and SLF4J come with PySpark, too, in the very versions that Kafka names.
"""

import base64
import hashlib
import os
import secrets
import shutil
import signal
import subprocess
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from ..errors import BadInput, CourseError, whole
from ..java.finder import OPTION_VARIABLES, environment, find_java, jars, quiet_options
from . import guard
from .kinds import FETCHED
from .process import Server, free_port
from .where import LOGIN, USER, Where

LOCK = Path(__file__).parent / "locks" / "kafka.txt"
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


FLAGS = (  # one Java with as little as it needs: 150 MB, and 1.4 s to the first answer
    "-Xmx96m -Xss512k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MaxDirectMemorySize=32m "
    "-XX:ReservedCodeCacheSize=48m -XX:+ExitOnOutOfMemoryError"
).split()
PROPERTIES = """process.roles=broker,controller
node.id={number}
controller.quorum.voters={voters}
listeners=CLIENT://127.0.0.1:{client},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=CLIENT://127.0.0.1:{client}
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENT
listener.security.protocol.map=CLIENT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
sasl.mechanism.controller.protocol=PLAIN
listener.name.client.plain.sasl.jaas.config={login}
listener.name.controller.plain.sasl.jaas.config={login}
log.dirs=data-{number}
broker.session.timeout.ms=1500
broker.heartbeat.interval.ms=300
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
offsets.topic.num.partitions=1
offsets.topic.replication.factor={copies}
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor={copies}
transaction.state.log.min.isr={fewest}
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor={copies}
share.coordinator.state.topic.min.isr={fewest}
num.network.threads=1
num.io.threads=2
num.recovery.threads.per.data.dir=1
background.threads=2
log.cleaner.dedupe.buffer.size=2097152
"""
LOGGING = """rootLogger.level=warn
rootLogger.appenderRef.0.ref=out
logger.0.name=kafka.server.KafkaRaftServer
logger.0.level=info
logger.1.name=kafka.coordinator.transaction.TransactionMarkerChannelManager
logger.1.level=info
appender.0.type=Console
appender.0.name=out
appender.0.layout.type=PatternLayout
appender.0.layout.pattern=%d %p %m (%c)%n%throwable
"""


class Kafka(Server):
    """A Kafka cluster that the course runs. Its processes are named broker-1, broker-2 and so on.

    `nodes` is how many there are: 1, or 3 where a leader is to be killed. `settings` are further ones of the brokers,
    each a text such as "transaction.partition.verification.enable=false".

    A client logs in by SASL with the secret of this start, on loopback. A broker that was killed is back 3 s after
    `start()`: for 1.5 s the controller takes its last session for alive.
    """

    KIND, READY = "kafka", "Kafka Server started"
    START_SECONDS: ClassVar[float] = 60

    def __init__(self, nodes: int = 1, settings: Iterable[str] = ()) -> None:
        whole("The number of Kafka's nodes", nodes, least=1, most=5)
        self._settings = tuple(settings)
        for one in self._settings:
            if not isinstance(one, str) or "=" not in one or "\n" in one:
                raise BadInput(f"A setting of a broker is {one!r}; give a text such as 'log.retention.hours=1'.")
        self._path, self._java = classpath(), str(find_java().executable)
        self._cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        self._ports = [(0, 0)] * nodes
        super().__init__()

    @property
    def url(self) -> str:
        """The cluster's address; the secret is in a file that it names."""
        return f"kafka://{USER}@{self.where.servers}?passfile={self.in_url('password')}"

    @property
    def where(self) -> Where:
        """The cluster's address with what a client logs in with."""
        return Where(",".join(f"127.0.0.1:{client}" for client, _ in self._ports), USER, self.secret)

    def commands(self) -> dict[str, list[str]]:
        """One Java for each node."""
        options = [*quiet_options(), *FLAGS, f"-Dlog4j2.configurationFile={self.folder}/log4j2.properties"]
        return {
            f"broker-{number}": [self._java, *options, "-cp", self._path, "kafka.Kafka", self._file(number)]
            for number in range(1, len(self._ports) + 1)
        }

    def environment(self, name: str) -> dict[str, str]:
        """No options for every Java from outside; one arena of malloc's for all threads, or each takes its own."""
        return {**dict.fromkeys(OPTION_VARIABLES, ""), "MALLOC_ARENA_MAX": "1"}

    def prepared(self) -> None:
        """Write each node's settings, format its folder, and write the secret for tools."""
        self._ports = [(self.port if one == 0 else free_port(), free_port()) for one in range(len(self._ports))]
        (self.folder / "log4j2.properties").write_text(LOGGING)
        self._login.write_text("".join(f"{name}={value}\n" for name, value in self.where.javas.items()))
        copies = len(self._ports)
        common = {
            "voters": ",".join(f"{one}@127.0.0.1:{port}" for one, (_, port) in enumerate(self._ports, 1)),
            "login": f'{LOGIN.format(USER, self.secret)} user_{USER}="{self.secret}";',
            "copies": min(copies, 3),
            "fewest": min(copies, 2),
        }
        for number, (client, controller) in enumerate(self._ports, 1):
            data = self.folder / f"data-{number}"
            data.mkdir()
            (data / FORMAT).write_bytes((PLACE / FORMAT).read_bytes())
            identity = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
            (data / "meta.properties").write_text(
                f"version=1\ncluster.id={self._cluster}\nnode.id={number}\ndirectory.id={identity}\n"
            )
            text = PROPERTIES.format(number=number, client=client, controller=controller, **common)
            Path(self._file(number)).write_text(text + "".join(f"{one}\n" for one in self._settings))

    def restart(self, *names: str) -> None:
        """Stop the brokers of these names (default: all) in good order, and start them again."""
        for name in self._named(names):
            guard.end([self.pid(name)], signal.SIGTERM, self.STOP_SECONDS)
        self.start(*names)

    def tool(self, name: str, *arguments: str) -> str:
        """Run one of Kafka's own tools, such as "TransactionsCommand" (kafka-transactions.sh).

        Returns what it prints. Raises `CourseError` when it fails.
        """
        options = [f"-Dlog4j2.configurationFile={self.folder}/log4j2.properties", *FLAGS]
        reached = ["--bootstrap-server", self.where.servers, "--command-config", str(self._login)]
        command = [self._java, *options, "-cp", self._path, f"org.apache.kafka.tools.{name}", *reached, *arguments]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
            raise CourseError(f"Kafka's {name} failed: {said[0]}")
        return done.stdout

    @property
    def _login(self) -> Path:
        return self.folder / "tool.properties"

    def _file(self, number: int) -> str:
        return str(self.folder / f"broker-{number}.properties")

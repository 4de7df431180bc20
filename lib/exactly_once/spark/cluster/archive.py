"""Class-data sharing: Spark's classes as Java has them in memory, written to a file once and mapped at every start.

It halves the time of a start. One archive belongs to one build of Java and one installation of PySpark; without
it, or with one that Java does not accept, everything works, more slowly. It stands on the archive of Java's own
classes, which a Java brings, or `java.finder.supply` makes.
Source: the manual of `java`, "Application Class-Data Sharing": -XX:ArchiveClassesAtExit, -XX:SharedArchiveFile.
"""

import hashlib
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from ...errors import CourseError
from ...java.finder import Java, find_java, jars
from ...paths import temporary

MAKING_LIMIT = 300  # s
WRITING = "Writing the archive that makes the cluster start quickly (about a minute, once)."
IN_PLACE = (  # mapped where it was written, its pages are shared by the three Javas: 190 MB less than relocated
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:ArchiveRelocationMode=0",
)
TRAINING = "from exactly_once.spark.cluster.session import train; import sys; train(*sys.argv[1:])"


def ensure_archive(java: Java | None = None, progress: Callable[[str], object] | None = None) -> Path | None:
    """Make the archive for `java` (default: `find_java()`) unless it is there, and return its path.

    Takes 25 to 90 s, on a cluster of its own. Returns None when it cannot be made here (too little memory or disk,
    a Java that cannot do it); `progress`, if given, is called with a sentence then. Nothing depends on it.
    """
    java = java or find_java()
    say = progress or (lambda sentence: None)
    archive = _path(java)
    if options(java):
        return archive
    draft = archive.with_name(f"{archive.name}.{os.getpid()}.draft")
    try:
        say(WRITING)
        done = subprocess.run(
            [sys.executable, "-P", "-c", TRAINING, str(draft)],
            env={**os.environ, "JAVA_HOME": str(java.home), "EXACTLY_ONCE_LEASE": f"archive-{os.getpid()}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAKING_LIMIT,
        )
        if done.returncode or not draft.exists():
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["Java wrote none"]
            say(f"The archive could not be made ({said[-1]}). The cluster starts without it.")
            return None
        return draft.replace(archive)
    except (OSError, ValueError, CourseError, subprocess.SubprocessError) as why:
        say(f"The archive could not be made ({why}). The cluster starts without it.")
        return None
    finally:
        draft.unlink(missing_ok=True)


def options(java: Java) -> tuple[str, ...]:
    """Return the options that make `java` use its archive, or () when there is none that nobody else could write."""
    archive = _path(java)
    try:
        if not _is_trusted(archive):  # put there while the folder was open
            return ()
    except OSError:
        return ()
    return (f"-XX:SharedArchiveFile={archive}", "-Xshare:auto", *IN_PLACE)


def _path(java: Java) -> Path:
    """Return where the archive stands."""
    libraries = jars()
    spark = version("pyspark")
    # Whole seconds, and the place behind links: both are the same in an image where the archive was made in its build
    facts = f"{os.path.realpath(java.home)} {java.build} {spark} {libraries} {int(libraries.stat().st_mtime)}"
    build, digest = re.sub(r"[^0-9A-Za-z.]+", "-", java.build), hashlib.sha256(facts.encode()).hexdigest()[:8]
    name = f"spark-{spark}-java-{build}-{digest}.jsa"
    share = Path(sys.prefix) / "share" / "exactly_once"
    return (share if _is_usable(share, name) else temporary("spark", "share")) / name


def _is_usable(share: Path, name: str) -> bool:
    """Tell whether an archive can be written to the installation's folder `share`, made if needed, or is there.

    Others may read it, as they may read the installation: an administrator makes one archive for all users. But
    nobody else may write it.
    """
    try:
        share.mkdir(parents=True, exist_ok=True)
        if share.stat().st_uid == os.getuid():
            share.chmod(stat.S_IMODE(share.stat().st_mode) & ~0o022)
        return _is_trusted(share) and (os.access(share, os.W_OK) or (share / name).exists())
    except OSError:
        return False


def _is_trusted(path: Path) -> bool:
    """Tell whether a file or folder is this user's or root's, and no other's to write: Java loads what is there."""
    found = path.stat()
    return found.st_uid in (os.getuid(), 0) and not found.st_mode & 0o022

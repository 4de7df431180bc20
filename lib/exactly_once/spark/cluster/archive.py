"""Class-data sharing: Spark's classes as Java has them in memory, written to a file once and mapped at every start.

It halves the time of a start. One archive belongs to one build of Java and one installation of PySpark; without
it, or with one that Java does not accept, everything works, more slowly.
Source: the manual of `java`, "Application Class-Data Sharing": -XX:ArchiveClassesAtExit, -XX:SharedArchiveFile.
"""

import contextlib
import hashlib
import json
import mmap
import os
import re
import stat
import subprocess
import sys
import zlib
from importlib.metadata import version
from pathlib import Path

from ...errors import CourseError
from ...java.finder import environment, find_java, jars, quiet_options
from ...paths import replaced, temporary

MAKING_LIMIT = 300  # s
WRITING = "Writing the archive that makes the cluster start quickly (about a minute, once)."
IN_PLACE = (  # mapped where it was written, its pages are shared by the three Javas: 190 MB less than relocated
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:ArchiveRelocationMode=0",
)
TRAINING = "from exactly_once.spark.cluster.session import train; import sys; train(*sys.argv[1:])"


def ensure_archive(java=None, progress=None):
    """Make the archive for `java` (default: `find_java()`) unless it is there, and return its path.

    Takes 25 to 90 s, on a cluster of its own. Returns None when it cannot be made here (too little memory or disk,
    a Java that cannot do it); `progress`, if given, is called with a sentence then. Nothing depends on it.
    """
    java = java or find_java()
    say = progress or (lambda sentence: None)
    if options(java):
        return _paths(java)[0]
    archive, base, _ = _paths(java)
    draft, base_draft = (path.with_name(f"{path.name}.{os.getpid()}.draft") for path in (archive, base))
    try:
        say(WRITING)
        bases = []
        if not _has_base(java):
            _make_base(java, base_draft)
            os.replace(base_draft, base)  # now, because the archive that stands on it remembers its name
            bases = [base]
        done = subprocess.run(
            [sys.executable, "-P", "-c", TRAINING, str(draft), *map(str, bases)],
            env={**os.environ, "JAVA_HOME": str(java.home), "EXACTLY_ONCE_LEASE": f"archive-{os.getpid()}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAKING_LIMIT,
        )
        if done.returncode or not draft.exists():
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["Java wrote none"]
            say(f"The archive could not be made ({said[-1]}). The cluster starts without it.")
            return None
        return _publish(java, draft, bases)
    except (OSError, ValueError, CourseError, subprocess.SubprocessError) as why:
        say(f"The archive could not be made ({why}). The cluster starts without it.")
        return None
    finally:
        for path in (draft, base_draft):
            path.unlink(missing_ok=True)


def options(java):
    """Return the options that make `java` use its archive, or () when there is none as it was written."""
    archive, base, seal = _paths(java)
    try:
        sealed = json.loads(seal.read_text())
        files = [path for path in (base, archive) if path.name in sealed]
        if archive not in files or any(sealed[path.name] != _look(path) for path in files):
            return ()
        if not all(_is_trusted(path) for path in files):  # put there while the folder was open
            return ()
    except (OSError, ValueError, TypeError, KeyError):
        return ()
    return (f"-XX:SharedArchiveFile={':'.join(map(str, files))}", "-Xshare:auto", *IN_PLACE)


def discard(java):
    """Remove the archive of `java`: Java did not start with it."""
    for path in _paths(java):
        with contextlib.suppress(OSError):
            path.unlink()


def _paths(java):
    """Return where the archive, the base beneath it (some Javas bring none) and the seal stand."""
    libraries = jars()
    spark = version("pyspark")
    # Whole seconds, and the place behind links: both are the same in an image where the archive was made in its build
    facts = f"{os.path.realpath(java.home)} {java.build} {spark} {libraries} {int(libraries.stat().st_mtime)}"
    build, digest = re.sub(r"[^0-9A-Za-z.]+", "-", java.build), hashlib.sha256(facts.encode()).hexdigest()[:8]
    name = f"spark-{spark}-java-{build}-{digest}"
    share = Path(sys.prefix) / "share" / "exactly_once"
    share = share if _is_usable(share, f"{name}.json") else temporary("spark", "share")
    return share / f"{name}.jsa", share / f"{name}.base", share / f"{name}.json"


def _is_usable(share, seal):
    """Tell whether an archive can be written to the installation's folder `share`, made if needed, or is there.

    Others may read it, as they may read the installation: an administrator makes one archive for all users. But
    nobody else may write it.
    """
    try:
        share.mkdir(parents=True, exist_ok=True)
        if share.stat().st_uid == os.getuid():
            share.chmod(stat.S_IMODE(share.stat().st_mode) & ~0o022)
        return _is_trusted(share) and (os.access(share, os.W_OK) or (share / seal).exists())
    except OSError:
        return False


def _is_trusted(path):
    """Tell whether a file or folder is this user's or root's, and no other's to write: Java loads what is there."""
    found = path.stat()
    return found.st_uid in (os.getuid(), 0) and not found.st_mode & 0o022


def _publish(java, draft, bases):
    """Move the finished archive to its place, whole, and write the seal last: without a seal it is not used."""
    archive, _, seal = _paths(java)
    os.replace(draft, archive)
    replaced(seal, json.dumps({path.name: _look(path) for path in [archive, *bases]}))
    return archive


def _look(path):
    """Return what tells a file from a damaged or exchanged one: its size, and a checksum (0.05 s for all of it)."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return [len(content), zlib.crc32(content)]


def _has_base(java):
    """Tell whether this Java brings the archive of its own classes, on which ours stands."""
    command = [str(java.executable), "-XX:+UseSerialGC", *quiet_options(), "-Xshare:on", "-version"]
    return subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def _make_base(java, place):
    """Write the archive of Java's own classes for a Java that lacks it, such as the one from PyPI."""
    command = [str(java.executable), "-XX:+UseSerialGC", *quiet_options(), "-Xmx512m", "-Xshare:dump"]
    subprocess.run(
        [*command, f"-XX:SharedArchiveFile={place}"],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=MAKING_LIMIT,
        check=True,
    )

"""The settings of a cluster, and the messages of its failures. No test here starts a cluster."""

import os
import pwd
import re
import shlex
import shutil
import socket
import stat
import subprocess
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.java import finder as java
from exactly_once.paths import ROOT, temporary
from exactly_once.spark.cluster import driver, lease, processes, session, settings
from exactly_once.spark.cluster.settings import shape_of

pytestmark = pytest.mark.not_by_day


@pytest.mark.parametrize(
    "master", ["local[abc]", "local[0]", "local[]", "local[2,0]", "local[2,]", "local[-1]", "local[1.5]", "locale", 2]
)
def test_a_master_that_spark_does_not_know_is_refused_before_anything_starts(master):
    with pytest.raises(BadInput, match="master is "):
        shape_of(master)


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*]", "local[2,4]", "local[*, 4]"])
def test_masters_that_spark_knows_are_taken_as_they_are(master):
    assert shape_of(master).master == master


def test_slots_that_two_executors_cannot_share_are_refused():
    with pytest.raises(BadInput, match="slots is 3"):
        shape_of(slots=3)


@pytest.mark.parametrize("chapter", ["03-delivery-semantics", "04-crash-points"])
def test_after_how_many_failures_spark_gives_a_job_up_is_said_where_lives_die(chapter):
    told = settings.spark_settings(shape_of(), settings.Folder(Path("/run"), Path("/log")), lease.me(), "course")
    notebook = (ROOT / "notebooks" / f"{chapter}.ipynb").read_text()
    assert (
        f"`spark.task.maxFailures` times: 4 by default, and the course sets {told['spark.task.maxFailures']}"
        in notebook
    )


def test_what_a_dead_java_raised_is_explained_without_asking_it():
    class Gone(Exception):
        java_exception = None

        def __str__(self):
            raise ConnectionRefusedError("Java is gone")

    assert session.explain(Gone()) == "Gone."


@pytest.mark.parametrize("said", ["NOTE: Picked up JDK_JAVA_OPTIONS: -XX:+UseSerialGC\nError: no room\n"])
def test_what_java_says_about_its_options_is_no_reason(said, tmp_path):
    fake = tmp_path / "java"
    fake.write_text(f"#!/bin/sh\nprintf '%s' '{said}' >&2\nexit 1\n")
    fake.chmod(0o755)
    with pytest.raises(driver.DriverFailed, match=r"did not start on .*: Error: no room\.$"):
        driver._launcher_says(SimpleNamespace(executable=fake), {})


def test_a_want_of_memory_is_said_and_the_archive_is_not_to_blame(tmp_path, monkeypatch):
    said = "# There is insufficient memory for the Java Runtime Environment to continue.\\n# See hs_err_pid1.log"
    fake = tmp_path / "java"
    fake.write_text(f"#!/bin/sh\nprintf '{said}'\nexit 1\n")
    fake.chmod(0o755)
    with pytest.raises(driver.DriverFailed, match=r"did not start on .*: There is insufficient memory") as caught:
        driver._launcher_says(SimpleNamespace(executable=fake), {})

    def fail(*arguments):
        raise caught.value

    monkeypatch.setattr(session, "_attempt", fail)
    monkeypatch.setattr(session, "find_java", lambda: java.Java(Path("/java"), 21, "21", "PATH"))
    monkeypatch.setattr(session, "_refuse_foreign", lambda: None)
    monkeypatch.setattr(session.archives, "options", lambda java: ("-XX:SharedArchiveFile=ours",))
    monkeypatch.setattr(session.archives, "discard", lambda java: pytest.fail("the archive was thrown away"))
    with pytest.raises(driver.DriverFailed, match="insufficient memory"):
        session.start(shape_of())


@pytest.mark.parametrize(
    ("place", "kind"), [("runs", "run"), ("runs", "delivery"), ("proofs", "proof")], ids=lambda word: word
)
def test_folders_go_with_their_dead_owners(tmp_path, monkeypatch, place, kind):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    gone_long_ago, mine = processes.Owner(os.getpid(), 1_000_000_000), lease.me()
    names = [f"{kind}-{owner.pid}-{owner.start}-abc_1" for owner in (gone_long_ago, mine)] + [f"{kind}-x7_aa"]
    for name in names:
        (temporary(place) / name / "stores").mkdir(parents=True)
    settings.sweep()
    assert {path.name for path in temporary(place).iterdir()} == set(names[1:])


def test_old_logs_go_but_never_those_of_a_run_that_still_has_its_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    owner = lease.me()
    runs = [settings.Folder.make(owner, tmp_path, number) for number in range(5)]
    for age, run in enumerate(runs):
        for path in (run.log, run.log.with_suffix(".err")):
            path.write_text("")
            os.utime(path, (1000 + age, 1000 + age))
    for run in runs[1:]:
        run.remove()
    settings.sweep(keep_logs=4)
    kept = {path.name for path in temporary("spark", "logs").iterdir()}
    assert kept == {run.log.with_suffix(kind).name for run in (runs[0], *runs[3:]) for kind in (".log", ".err")}


def test_a_log_that_another_notebook_removes_meanwhile_disturbs_no_sweep(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    for number in range(3):
        (temporary("spark", "logs") / f"1-{number}-1.log").write_text("")
    listed = Path.iterdir

    def and_then_one_goes(folder):
        found = [*listed(folder)]
        if folder.name == "logs":
            found[0].unlink()
        return iter(found)

    monkeypatch.setattr(Path, "iterdir", and_then_one_goes)
    settings.sweep(keep_logs=1)
    monkeypatch.undo()
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    assert len([*temporary("spark", "logs").iterdir()]) == 1


def test_each_start_has_a_secret_of_its_own_and_a_master_elsewhere_none(tmp_path):
    folder = settings.Folder(tmp_path, Path("/log"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        masters = None, "local[2]", f"spark://127.0.0.1:{server.getsockname()[1]}"
        here, again, elsewhere = (
            settings.spark_settings(shape_of(master), folder, lease.me(), "course") for master in masters
        )
    secrets = here["spark.authenticate.secret"], again["spark.authenticate.secret"]
    assert len(set(secrets)) == 2
    assert set(map(len, secrets)) == {64}
    assert "spark.authenticate.secret" not in elsewhere, "that cluster's own is used"
    assert (elsewhere["spark.driver.host"], elsewhere["spark.cores.max"]) == ("127.0.0.1", "2")


@pytest.mark.parametrize(("sign", "what"), [(":", "a colon"), ("\n", "a new line")])
def test_a_place_whose_name_java_takes_apart_is_refused(tmp_path, monkeypatch, sign, what):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / f"my{sign}files"))
    with pytest.raises(CourseError, match=f"has {what} in its name.*Set EXACTLY_ONCE_TMP to"):
        settings.Folder.make(lease.me(), Path("/jars"), 1)


@pytest.mark.parametrize("name", ["ü ß 日本", "a\\b \U0001f600", "a${b}c"])
def test_the_log_is_where_an_error_names_it_whatever_letters_the_folder_has(tmp_path, monkeypatch, name):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / name))
    folder = settings.Folder.make(lease.me(), tmp_path, 1)
    (line,) = [
        line
        for line in (folder.path / "driver.properties").read_bytes().decode("latin-1").splitlines()
        if line.startswith("appender.out.fileName = ")
    ]
    units = re.sub(r"\\u(....)", lambda found: chr(int(found[1], 16)), line.removeprefix("appender.out.fileName = "))
    read = units.encode("utf-16", "surrogatepass").decode("utf-16").replace("$${", "${")
    assert line.isascii()
    assert read == str(folder.log)


def test_options_keep_their_quotes_in_a_line_of_options():
    folder = settings.Folder(Path("/t ü 'q\" $x \\ "), Path("/log"))
    line = settings.spark_settings(shape_of(), folder, lease.me(), "course")["spark.executor.extraJavaOptions"]
    options = settings.java_options(folder, lease.me(), "course", "executor")
    assert shlex.split(line) == options  # a shell's double quotes take a backslash as Spark does


def test_where_the_folder_has_a_long_name_sockets_are_in_a_short_one_that_goes_with_it(tmp_path, monkeypatch):
    short = settings.Folder(tmp_path, tmp_path / "log")
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / ("ein langer Name mit ü " * 9)))
    folder = settings.Folder.make(lease.me(), tmp_path, 1)
    told = settings.spark_settings(shape_of(), folder, lease.me(), "course")
    assert told["spark.python.unix.domain.socket.enabled"] == "true"
    place = Path(told["spark.python.unix.domain.socket.dir"])
    assert len(os.fsencode(place / f".{uuid.uuid4()}.sock")) <= settings.LONGEST_SOCKET
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    folder.remove()
    assert not place.exists()
    assert "spark.python.unix.domain.socket.enabled" not in settings.spark_settings(
        shape_of(), short, lease.me(), "course"
    )


def test_a_comma_in_the_folders_name_takes_no_list_of_spark_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / "Kafka, Spark"))
    folder = settings.Folder.make(lease.me(), tmp_path, 1)
    told = settings.spark_settings(shape_of(), folder, lease.me(), "course")
    assert "," not in told["spark.local.dir"]
    folder.remove()


def test_sockets_of_a_dead_process_go_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr(settings.tempfile, "gettempdir", lambda: str(tmp_path))
    gone, mine = processes.Owner(os.getpid(), 1_000_000_000), lease.me()
    for owner in (gone, mine):
        (tmp_path / f"{settings.SOCKETS}-{owner.pid}-{owner.start}-abc_1").mkdir()
    settings.sweep()
    assert [path.name for path in tmp_path.iterdir()] == [f"{settings.SOCKETS}-{mine.pid}-{mine.start}-abc_1"]


def test_a_process_that_may_open_too_few_files_says_so(monkeypatch):
    monkeypatch.setattr(settings.resource, "getrlimit", lambda which: (256, 256))
    with pytest.raises(CourseError, match=r"may have 256 files open at once.*`ulimit -n`"):
        settings.check_open_files()
    monkeypatch.setattr(settings.resource, "getrlimit", lambda which: (256, settings.resource.RLIM_INFINITY))
    settings.check_open_files()


def test_a_java_that_gives_no_answer_is_named_at_the_start(monkeypatch):
    hung = java.Java(Path("/java"), 21, "21", "PATH", ("old one",), ("JAVA_HOME (/hung) gave no answer.",))
    monkeypatch.setattr(session, "find_java", lambda: hung)
    monkeypatch.setattr(session, "_refuse_foreign", lambda: None)  # another test's cluster may be up
    monkeypatch.setattr(session, "_attempt", lambda *words: None)
    said = []
    session.start(shape_of(), progress=said.append, archive=())
    assert said == [
        "JAVA_HOME (/hung) gave no answer. It was passed over, here and at every start; Java 21 in /java is used."
    ]


@pytest.mark.skipif(os.geteuid() or not shutil.which("setpriv"), reason="only root becomes another account")
def test_an_account_without_a_line_in_passwd_gets_a_login(monkeypatch, tmp_path):
    """Hadoop's own look at who it runs for, by an account of no name that may read the installation."""
    number = next(number for number in range(54_321, 60_000) if number not in {one.pw_uid for one in pwd.getpwall()})
    monkeypatch.setattr(os, "getuid", lambda: number)
    account = ["setpriv", f"--reuid={number}", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    login = ["-cp", f"{java.jars()}/*", "org.apache.hadoop.security.UserGroupInformation"]

    def said(*options):
        command = [*account, java.find_java().executable, *java.quiet_options(), *options, *login]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=java.environment())
        return done.stdout + done.stderr

    assert f"User: user-{number}" in said(*settings.nameless(tmp_path))
    assert f"User: user-{number}" not in said()

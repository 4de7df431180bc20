"""What is refused before a cluster starts, and what its settings are where the place or the account is unusual."""

import os
import pwd
import shutil
import subprocess

import pytest

from exactly_once.java import finder as java
from exactly_once.paths import ROOT
from exactly_once.spark import nameless

pytestmark = pytest.mark.not_by_day


@pytest.mark.cluster
def test_after_how_many_failures_spark_gives_a_job_up_is_said_where_lives_die(spark):
    most = spark.conf.get("spark.task.maxFailures")
    for chapter in ("03-delivery-semantics", "04-crash-points"):
        notebook = (ROOT / "notebooks" / f"{chapter}.ipynb").read_text()
        assert f"`spark.task.maxFailures` times: 4 by default, and the course sets {most}" in notebook


@pytest.mark.cluster
def test_a_place_that_java_takes_apart_is_told_before_anything_starts(actor, tmp_path):
    for sign, what in ((":", "a colon"), ("\n", "a new line")):
        name, said = actor(EXACTLY_ONCE_TMP=str(tmp_path / f"my{sign}files")).fails("cluster('local[1]')")
        assert name == "CourseError"
        assert f"has {what} in its name" in said
        assert "Set EXACTLY_ONCE_TMP to" in said


@pytest.mark.cluster
@pytest.mark.slow
def test_whatever_letters_the_folder_has_the_cluster_works_there_and_its_log_is_where_an_error_names_it(
    actor, tmp_path
):
    """Java, Spark and Log4j take names apart at some letters, and the path of a Unix socket has to be short."""
    ours = tmp_path / "Kafka, ü ß 日本 a\\b ${b} 'q\"" / ("ein langer Name " * 9 + "z")
    kernel = actor(EXACTLY_ONCE_TMP=str(ours))
    assert kernel.ask("cluster().sparkContext.parallelize(range(2), 2).map(abs).sum()") == 1
    place = kernel.ask("cluster().conf.get('spark.python.unix.domain.socket.dir')")
    assert len(place) < 60
    kernel.ask("[os.kill(one.pid, 9) for one in processes.our_processes() if '-Xmx' in ' '.join(one.cmdline())]")
    said = kernel.fails("running()")[1]
    (log,) = (ours / "spark" / "logs").glob("*.log")
    assert str(log) in said
    assert log.stat().st_size > 0


@pytest.mark.slow
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

    assert f"User: user-{number}" in said(*nameless(tmp_path))
    assert f"User: user-{number}" not in said()

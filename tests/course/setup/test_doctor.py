"""The doctor's findings, on this machine and on machines that lack something."""

import errno
import json
import os
import platform
import re
import socket
import types
from importlib import metadata

import pytest

from exactly_once.course.setup import doctor
from exactly_once.course.setup.findings import Finding, Findings
from exactly_once.errors import CourseError
from exactly_once.explore.model import evaluation_stack
from exactly_once.java import finder as java
from exactly_once.java import memory
from exactly_once.spark.cluster import processes


def test_this_machine_is_well(capsys):
    assert doctor.main(["--quick"]) == 0
    said = capsys.readouterr().out
    assert "✓ well    Python" in said
    assert "cluster" not in said.replace("beside a running cluster", "")


def test_json(capsys):
    assert doctor.main(["--quick", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["well"] is True
    assert [each["name"] for each in data["findings"]] == list(doctor.QUICK)
    assert all(set(each) == {"name", "state", "value", "remedy"} for each in data["findings"])


def test_something_wrong_is_exit_status_1_and_no_cluster_is_tried(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "QUICK", {"Java": lambda: Finding("Java", "wrong", "none", "Get one.")})
    monkeypatch.setattr(doctor, "cluster", lambda: pytest.fail("the cluster was tried"))
    assert doctor.main([]) == 1
    said = capsys.readouterr().out
    assert "✗ wrong   Java" in said
    assert "→ Get one." in said
    assert "Not ready: Java." in said


def test_nonsense_on_the_command_line_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        doctor.main(["--fast"])
    assert ended.value.code == 2
    assert "--fast" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "state"),
    [
        ((3, 10, 13), "wrong"),
        ((3, 11, 0), "well"),
        ((3, 13, 9), "well"),
        ((3, 14, 2), "careful"),
        ((3, 15, 0), "careful"),
    ],
)
def test_python(version, state):
    assert doctor.python(version).state == state


def test_a_python_on_which_nothing_was_tried_is_named_with_the_proofs_that_are_slow_there(monkeypatch):
    assert re.match(
        r"The course's tests were run on Python .*3\.11.* delete .venv.* Proofs are slow here: .*chapters 04 to 10",
        doctor.python((3, 14, 0)).remedy,
    )
    assert doctor.python() == Finding("Python", "well", platform.python_version())
    monkeypatch.setattr(evaluation_stack, "known", lambda: False)  # as on a Python without the global lock
    found = doctor.python()
    assert (found.state, found.remedy[:21]) == ("careful", "Proofs are slow here:")


def test_no_java(monkeypatch):
    def none():
        raise java.JavaMissing("JAVA_HOME (/x) is Java 11. Install Java 17.")

    monkeypatch.setattr(java, "find_java", none)
    finding = doctor.java()
    assert (finding.state, finding.remedy) == ("wrong", "JAVA_HOME (/x) is Java 11. Install Java 17.")


@pytest.mark.parametrize(
    ("total", "available", "running", "state"),
    [
        (8.0, 4.0, False, "well"),
        (2.0, 1.3, False, "well"),
        (2.0, 1.1, False, "wrong"),
        (2.0, 0.5, True, "well"),
        (1.0, 0.9, False, "wrong"),
        (8.0, 0.1, True, "wrong"),
    ],
)
def test_memory(monkeypatch, total, available, running, state):
    monkeypatch.setattr("psutil.virtual_memory", lambda: types.SimpleNamespace(total=total * 1e9))
    monkeypatch.setattr(memory, "available", lambda: available * 1e9)
    monkeypatch.setattr(memory, "LIMITS", ())
    monkeypatch.setattr(processes, "marked", lambda: {"owner": []} if running else {})
    finding = doctor.memory()
    assert finding.state == state
    assert bool(finding.remedy) == (state == "wrong")


def test_a_container_s_limit_counts_as_the_memory(monkeypatch, tmp_path):
    (tmp_path / "memory.max").write_text("1000000000\n")
    monkeypatch.setattr(memory, "CONTROL", tmp_path)
    monkeypatch.setattr(memory, "available", lambda: 0.9e9)
    finding = doctor.memory()
    assert finding.state == "wrong"
    assert "of 1.0 GB" in finding.value


def test_one_core_is_a_warning(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert doctor.cores().state == "careful"


def test_a_temporary_folder_that_is_a_file(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / "file" / "below"))
    finding = doctor.temporary_folder()
    assert finding.state == "wrong"
    assert "EXACTLY_ONCE_TMP" in finding.remedy


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_temporary_folder_that_is_closed(monkeypatch, tmp_path):
    tmp_path.chmod(0o500)
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    assert doctor.temporary_folder().state == "wrong"
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(("free", "state"), [(5e9, "well"), (0.5e9, "careful"), (0.1e9, "wrong")])
def test_free_disk(monkeypatch, free, state):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: types.SimpleNamespace(free=free))
    assert doctor.temporary_folder().state == state


def test_a_full_disk(monkeypatch):
    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", full)
    finding = doctor.temporary_folder()
    assert finding.state == "wrong"
    assert "No space left on device" in finding.value


def test_packages():
    have = {"pandas": "2.3.3", "numpy": "2.4.6", "pyspark": "4.3.0"}

    def installed(name):
        if name not in have:
            raise metadata.PackageNotFoundError(name)
        return have[name]

    lock = ["# a comment", "pandas==2.3.3", "numpy==9.0 ; python_version < '3'", "other==1"]
    asked = ["pandas<3,>=2.2", 'numpy; extra == "spark"', 'ruff; extra == "dev"', "pyspark==4.3.0"]
    assert doctor.packages(asked, lock, installed).state == "well"
    careful = doctor.packages(asked, [*lock, "numpy==2.4.5"], installed)
    assert (careful.state, careful.value) == ("careful", "numpy is 2.4.6, locked ==2.4.5")
    have["pandas"] = "3.0.0"
    wrong = doctor.packages([*asked, "plotly"], lock, installed)
    assert wrong.state == "wrong"
    assert "pandas is 3.0.0" in wrong.value
    assert "plotly is missing" in wrong.value
    assert "make lab" in wrong.remedy


def test_no_loopback(monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refused)
    finding = doctor.loopback()
    assert finding.state == "wrong"
    assert "Permission denied" in finding.value


def test_a_cluster_that_does_not_start(monkeypatch):
    def short():
        raise CourseError("A cluster needs about 1100 MiB of memory.")

    monkeypatch.setattr("exactly_once.spark.cluster", short)
    finding = doctor.cluster()
    assert (finding.state, finding.remedy) == ("wrong", "A cluster needs about 1100 MiB of memory.")


def test_a_cluster_that_somebody_else_has_is_a_warning(monkeypatch):
    from exactly_once.spark.cluster.lease import ClusterBusy

    def busy():
        raise ClusterBusy("The notebook x has it.")

    monkeypatch.setattr("exactly_once.spark.cluster", busy)
    assert doctor.cluster().state == "careful"


def test_a_check_that_breaks_is_a_finding(monkeypatch):
    def broken():
        raise RuntimeError("no such\nthing")

    monkeypatch.setattr(doctor, "QUICK", {"cores": broken})
    (finding,) = doctor.check(quick=True)
    assert finding.state == "wrong"
    assert "RuntimeError: no such" in finding.value


def test_the_table_escapes_what_it_shows():
    table = Findings([Finding("a", "careful", "<b>&", "x < y")])._repr_html_()
    assert "&lt;b&gt;&amp;" in table
    assert "x &lt; y" in table
    assert "<b>&" not in table
    assert "eo-careful" in table


@pytest.mark.not_by_day
@pytest.mark.cluster
def test_the_cluster_starts_and_runs_a_job(monkeypatch):
    from exactly_once.spark import stop_cluster

    monkeypatch.setenv("EXACTLY_ONCE_LEASE", f"doctor-test-{os.getpid()}")
    try:
        finding = doctor.cluster()
    finally:
        stop_cluster()
    assert finding.state == "well", finding
    assert "first job done" in finding.value

"""The doctor's findings, on this machine and on machines that lack something."""

import json
import os
import types
from importlib import metadata

import pytest

from exactly_once.course import doctor
from exactly_once.spark import stop_cluster


def finding(name):
    """Return one of the findings of a quick look."""
    return next(each for each in doctor.check(quick=True) if each.name == name)


def test_this_machine_is_well_in_words_and_as_json(capsys):
    assert doctor.main(["--quick"]) == 0
    said = capsys.readouterr().out
    assert "✓ well    Python" in said
    assert "cluster" not in said.replace("beside a running cluster", "")
    assert doctor.main(["--quick", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["well"] is True
    assert [each["name"] for each in data["findings"]] == list(doctor.QUICK)
    assert all(set(each) == {"name", "state", "value", "remedy"} for each in data["findings"])


def test_without_a_java_it_says_so_has_status_1_and_tries_no_cluster(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "<b>&"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.main([]) == 1
    said = capsys.readouterr().out
    assert "✗ wrong   Java" in said
    assert "Not ready: Java." in said
    assert "not tried, because of what is wrong above" in said
    table = doctor.check(quick=True)._repr_html_()
    assert "&lt;b&gt;&amp;" in table
    assert "<b>&" not in table


def test_python():
    for version, state in (
        ((3, 10, 13), "wrong"),
        ((3, 11, 0), "well"),
        ((3, 14, 9), "well"),
        ((3, 15, 0), "careful"),
    ):
        assert doctor.python(version).state == state
    for said in ("The course's tests were run on Python ", "delete .venv"):
        assert said in doctor.python((3, 15, 0)).remedy


def test_the_line_for_the_teacher(capsys, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", "seat7")
    assert doctor.main(["--quick", "--seat"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("For the teacher: seat seat7 is ready")
    found = [doctor.Finding("cores", "careful", "1"), doctor.Finding("cluster", "wrong", "does not start")]
    told = "seat 8 is NOT READY (cluster); mind cores (cores: 1; cluster: does not start)."
    assert told in doctor.for_the_teacher(found, 8)


def test_a_machine_with_one_core_or_without_disk(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert finding("cores").state == "careful"
    for free, state in ((5e9, "well"), (0.5e9, "careful"), (0.1e9, "wrong")):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: types.SimpleNamespace(free=free))
        assert finding("temporary folder").state == state


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


@pytest.mark.slow  # chapter 00 asks the doctor, too
@pytest.mark.cluster
def test_the_cluster_starts_and_runs_a_job(monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_LEASE", f"doctor-test-{os.getpid()}")
    try:
        found = doctor.cluster()
    finally:
        stop_cluster()
    assert found.state == "well", found
    assert "first job done" in found.value

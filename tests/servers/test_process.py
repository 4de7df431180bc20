"""A server starts when it is asked for, stops with its kernel, and dies and comes back with what it had."""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.owned import SERVERS
from exactly_once.paths import temporary
from exactly_once.servers import STARTED, Server, new_name, opened
from tests.servers.conftest import had
from tests.spark.run.waiting import gone

PROGRAM = Path(__file__).with_name("echo.py")


class Echo(Server):
    KIND, READY, STOP_SECONDS = "echo", "listening", 5

    def commands(self):
        return {"main": [sys.executable, str(PROGRAM), str(self.port), str(self.folder)]}

    def prepared(self):
        (self.folder / "lines").write_bytes(b"first ")

    def opened(self):
        self.say(b"opened ")

    @property
    def url(self):
        return f"echo://127.0.0.1:{self.port}"

    def say(self, text, seconds=30):
        with socket.create_connection(("127.0.0.1", self.port), seconds) as connection:
            connection.sendall(text)
            return connection.recv(1000)


@pytest.fixture
def echo():
    server = Echo()
    yield server
    server.stop()


def family(server):
    """Return the ids of a server's process and of its child."""
    return [server.pid(), *(child.pid for child in psutil.Process(server.pid()).children())]


def test_it_is_started_once_and_reused_until_it_is_stopped():
    one = Echo.shared()
    assert Echo.shared() is one
    found = []
    threads = [threading.Thread(target=lambda: found.append(Echo.shared())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [one] * 4
    one.stop()
    other = Echo.shared()
    assert other is not one
    assert other.secret != one.secret
    other.stop()
    other.stop()  # once more does nothing


def test_its_folder_is_closed_to_others_and_gone_with_it(echo):
    assert echo.folder.parent == temporary(SERVERS)
    assert echo.folder.stat().st_mode & 0o077 == 0
    pids = family(echo)
    assert len(pids) == 2
    echo.stop()
    assert all(map(gone, pids))
    assert not echo.folder.exists()


def test_it_is_killed_with_all_that_it_has_started_and_comes_back_with_its_data(echo):
    assert echo.say(b"a") == b"first opened a"
    pids, port = family(echo), echo.port
    echo.kill()
    assert all(map(gone, pids))
    assert not echo.alive()
    with pytest.raises(OSError, match="refused"):
        echo.say(b"lost")
    echo.start()
    assert (echo.say(b"b"), echo.port) == (b"first opened ab", port)
    echo.start()  # one that runs is left alone
    assert echo.say(b"c") == b"first opened abc"


def test_a_paused_server_answers_when_it_is_resumed(echo):
    echo.pause()
    assert {psutil.Process(pid).status() for pid in family(echo)} == {psutil.STATUS_STOPPED}
    with pytest.raises(TimeoutError):
        echo.say(b"late ", 0.2)
    assert echo.alive()
    echo.resume()
    assert echo.say(b"b").startswith(b"first opened late")


def test_a_paused_server_can_be_stopped(echo):
    pids = family(echo)
    echo.pause()
    echo.stop()
    assert all(map(gone, pids))


CHILD = """
import sys, time
import psutil
from tests.servers.test_process import Echo
server = Echo.shared()
print(server.pid(), psutil.Process(server.pid()).ppid(), server.folder, flush=True)
{then}
"""


def kernel(then):
    """Start a process that has a server; return it, the ids of server and guard, and the folder."""
    process = subprocess.Popen([sys.executable, "-c", CHILD.format(then=then)], stdout=subprocess.PIPE, text=True)
    server, guard, folder = process.stdout.readline().strip().split(" ", 2)  # a folder may have spaces
    return process, int(server), int(guard), folder


@pytest.mark.parametrize("then", ["", "raise SystemExit(3)"])
def test_it_ends_with_its_kernel(then):
    process, server, guard, folder = kernel(then)
    process.wait(30)
    process.stdout.close()
    assert gone(server)
    assert gone(guard)
    assert not os.path.exists(folder)


@pytest.mark.parametrize("forks", [False, True])
def test_a_kernel_that_is_killed_leaves_nothing(forks):
    """A process that the kernel has forked keeps the guard's input open."""
    fork = "import os\nif os.fork() == 0: time.sleep(3)\nelse: " if forks else ""
    process, server, guard, folder = kernel(f"{fork}time.sleep(600)")
    process.kill()
    process.wait()
    process.stdout.close()
    assert gone(server, seconds=20)
    assert gone(guard, seconds=20)
    assert not os.path.exists(folder)


def test_what_a_killed_guard_leaves_is_ended_by_the_next_start():
    process, server, guard, folder = kernel("time.sleep(600)")
    os.kill(guard, signal.SIGKILL)
    process.kill()
    process.wait()
    process.stdout.close()
    assert psutil.Process(server).is_running()
    assert os.path.exists(folder)
    Echo().stop()
    assert gone(server)
    assert not os.path.exists(folder)


class Broken(Echo):
    KIND = "broken"
    CODE = "print('one'); print('No space for the log.'); raise SystemExit(3)"

    def commands(self):
        return {"main": [sys.executable, "-u", "-c", self.CODE, str(self.folder)]}


class Absent(Broken):
    def commands(self):
        return {"main": ["no-such-program"]}


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Broken, r"^broken ended at once\. The last lines of its log: one / No space for the log\.$"),
        (Absent, r"^broken does not start: no-such-program cannot be started \(No such file"),
    ],
)
def test_a_start_that_fails_is_told_in_a_sentence_and_leaves_nothing(kind, words):
    before = set(temporary(SERVERS).iterdir())
    with pytest.raises(CourseError, match=words):
        kind()
    assert set(temporary(SERVERS).iterdir()) == before


def test_a_process_that_there_is_not_is_refused(echo):
    with pytest.raises(BadInput, match="has no process 'other'; it has main"):
        echo.kill("other")


@pytest.mark.some(day=1)
@pytest.mark.parametrize("kind", STARTED)
def test_each_server_starts_in_a_folder_of_any_name(kind, monkeypatch):
    """A long name as well: PostgreSQL's socket does not take it, and the server listens on loopback."""
    had(STARTED[kind])
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(temporary("tests", "a folder, ü 50%20+#&=b " + "long " * 20 + "end")))
    server = STARTED[kind]()
    try:
        server.kill()
        server.start()
        store = opened(server.url, "engine", new_name())
        store.do("cell", "write", 1)
        assert store.look("cell", "cell") == 1
        store.close()
    finally:
        server.stop()

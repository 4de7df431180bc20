"""`make lab`, end to end: it prints its address, answers with the token, refuses without, and leaves nothing
behind.
"""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
from urllib.parse import urlsplit

import psutil
import pytest

from exactly_once import CourseError
from exactly_once.course.setup import lab
from exactly_once.paths import ROOT, temporary
from exactly_once.servers import free_port
from exactly_once.spark.cluster.processes import command_line

pytestmark = pytest.mark.not_by_day

START_LIMIT = 280  # s; the archive for Spark may have to be made first, on a busy machine


def family(pid):
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


class Server:
    """A running `make lab`."""

    def __init__(self, home, *arguments):
        environment = {**os.environ, "HOME": str(home)}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS", "MAKELEVEL"):
            environment.pop(name, None)
        self.output = home.parent / "output"
        with self.output.open("w") as out:
            self.process = subprocess.Popen(
                ["make", "lab", f"LAB_ARGS={' '.join(arguments)}"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def said(self):
        return self.output.read_text()

    def wait(self):
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := re.search(r"^ +(http://\S+)$", self.said, re.MULTILINE):
                self.url = urlsplit(found.group(1))
                self.token = self.url.query.partition("token=")[2]
                return self
            time.sleep(0.1)
        pytest.fail(f"make lab printed no address:\n{self.said}")

    def ask(self, path, token=None, method="GET", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.url.port, timeout=120)
        with contextlib.closing(connection):
            headers = {"Authorization": f"token {token}"} if token else {}
            connection.request(method, path, body and json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Location", ""), answer.read()

    def stop(self):
        all_of_it = family(self.process.pid)
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(120)
            return psutil.wait_procs(all_of_it, timeout=60)[1]
        finally:
            for process in all_of_it:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    home = tmp_path_factory.mktemp("lab") / "home"
    home.mkdir()
    running = Server(home, "--no-browser", f"--port={free_port()}")
    running.home = home
    try:
        yield running.wait()
    finally:
        running.stop()  # once more, should the last test not have come to it


def test_its_address_stands_alone_and_it_answers_to_its_token_only(server):
    lines = server.said.splitlines()
    at = next(number for number, line in enumerate(lines) if "token=" in line)
    assert server.said.count("token=") == 1
    assert len(lines) - at <= 5
    assert server.url.hostname == "127.0.0.1"
    assert server.url.path == f"/lab/tree/{lab.FIRST}"
    assert server.ask(f"{server.url.path}?{server.url.query}")[0] == 200
    status, _, body = server.ask("/api/contents", server.token)
    assert status == 200
    assert "Makefile" in {each["name"] for each in json.loads(body)["content"]}
    status, where, _ = server.ask("/lab")
    assert (status, where.startswith("/login")) == (302, True)
    assert server.ask("/api/contents")[0] == 403
    assert server.ask("/api/contents", "0" * 48)[0] == 403


def kernel_sockets(process):
    """Return the names of the Unix sockets by which a process talks as a kernel."""
    return {each.laddr for each in process.net_connections("unix") if "-ipc-" in each.laddr}


def test_a_kernel_is_the_course_s_python_and_all_of_it_listens_on_loopback(server):
    status, _, body = server.ask("/api/kernels", server.token, "POST")
    assert status == 201, body
    by_files = 5 if lab.kernels()["transport"] == "ipc" else 0  # of five
    listening, sockets = set(), set()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and (len(sockets) < by_files or len(listening) < 6 - by_files):
        for process in family(server.process.pid):
            with contextlib.suppress(psutil.Error):
                listening |= {each.laddr for each in process.net_connections() if each.status == psutil.CONN_LISTEN}
                sockets |= kernel_sockets(process)
        time.sleep(0.2)
    assert len(sockets) == by_files
    assert len(listening) >= 6 - by_files
    assert ("127.0.0.1", server.url.port) in listening
    assert {address.ip for address in listening} == {"127.0.0.1"}
    assert all(name.startswith(str(temporary("jupyter", "runtime"))) for name in sockets)
    commands = map(command_line, family(server.process.pid))
    kernels = [command for command in commands if "ipykernel_launcher" in command]
    assert [command[0].startswith(str(ROOT / ".venv")) for command in kernels] == [True]
    assert server.said.splitlines()[-1].startswith("Its log is ")  # no kernel says anything here


def test_where_names_of_sockets_would_be_too_long_kernels_have_encrypted_ports(monkeypatch, tmp_path):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / ("long" * 20)))
    assert lab.kernels() == {"transport": "tcp", "transport_encryption": "auto"}


def test_nothing_is_written_to_the_home_or_beside_the_notebooks(server):
    status, _, body = server.ask("/api/contents/pyproject.toml/checkpoints", server.token, "POST")
    assert status == 201, body
    assert (temporary("jupyter", "checkpoints") / "pyproject-checkpoint.toml").exists()
    assert not (ROOT / ".ipynb_checkpoints").exists()
    assert [path for path in server.home.rglob("*") if path.is_file()] == []


def test_stopped_at_last_it_leaves_no_process(server):
    assert server.ask("/api/kernels", server.token, "POST")[0] == 201
    assert server.stop() == []


def test_a_port_in_use_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CourseError, match=f"Port {port} is in use"):
            lab.check_port(port)


def test_equal_names_have_checkpoints_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    keeper = lab.Checkpoints(root_dir=str(tmp_path))
    paths = {keeper.checkpoint_path("checkpoint", name) for name in ("exercises/04.ipynb", "/solutions/04.ipynb/")}
    assert paths == {
        str(tmp_path / f"jupyter/checkpoints/{name}/04-checkpoint.ipynb") for name in ("exercises", "solutions")
    }
    assert str(tmp_path) in keeper.checkpoint_path("checkpoint", "../../etc/x.ipynb")

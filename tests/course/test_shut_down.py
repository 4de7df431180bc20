"""The button that shuts a kernel down: its words, its request to the server, and its words without a server."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from exactly_once.course import shut_down_button


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    """A kernel's connection file, and the folder where its server would be noted."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("JPY_PARENT_PID", "77")
    monkeypatch.setattr("ipykernel.connect.get_connection_file", lambda: str(tmp_path / "kernel-12-ab.json"))
    return tmp_path


def test_it_says_what_it_frees_and_without_a_server_names_the_menu(runtime):
    button = shut_down_button()
    assert button.says.value.startswith("Frees the ")
    button.button.click()
    assert "No Jupyter server is found" in button.says.value
    assert "Kernel → Shut Down Kernel" in button.says.value
    assert not button.button.disabled


def test_it_asks_the_server_that_has_started_the_kernel(runtime):
    asked, done = [], threading.Event()

    class Server(BaseHTTPRequestHandler):
        def do_DELETE(self):
            asked.append((self.path, self.headers["Authorization"]))
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, *words):
            pass

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        note = {"url": f"http://127.0.0.1:{server.server_port}/base/", "token": "secret"}
        (runtime / "jpserver-77.json").write_text(json.dumps(note))
        button = shut_down_button()
        button.button.click()
        assert "The kernel is shut down" in button.says.value
        assert button.button.disabled
        assert done.wait(30)
        server.shutdown()
    assert asked == [("/base/api/kernels/12-ab", "token secret")]

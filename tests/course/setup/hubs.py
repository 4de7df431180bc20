"""A JupyterHub of one's own on loopback with the configuration in docs/, for its tests and its benchmark."""

import contextlib
import http.cookiejar
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import websocket
from jupyter_client.session import Session

from exactly_once.paths import ROOT
from exactly_once.servers import free_port

CONFIGURATION = ROOT / "docs" / "jupyterhub_config.py"
PROXY = "configurable-http-proxy"
LIMIT = 200  # s for a hub, a server or a cell
OURS = """
import os
if {trial}:
    os.geteuid = lambda: 1000  # the configuration takes it for an ordinary user's, although root may run the test
load_subconfig({configuration!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.JupyterHub.services = [{{"name": "test", "api_token": {token!r}}}]
c.JupyterHub.tornado_settings = {{"slow_spawn_timeout": 0}}  # a start is asked for, and not waited for
scopes = ["admin:users", "admin:servers", "tokens", "access:servers", "shutdown"]
c.JupyterHub.load_roles = [{{"name": "test", "services": ["test"], "scopes": scopes}}]
if {trial}:
    c.Spawner.args += ["--ServerApp.allow_root=True"]
{more}
"""


def proxy():
    """Return the folder of the proxy's command, or None: EO_PROXY, the environment's, or one on the PATH."""
    places = [os.environ.get("EO_PROXY", ""), str(Path(sys.executable).parent), os.environ["PATH"]]
    found = shutil.which(PROXY, path=os.pathsep.join(filter(None, places)))
    return found and str(Path(found).parent)


class Hub:
    """A running hub; in a `trial` its learners are no users of the system. `more` is added to its configuration."""

    def __init__(self, folder, trial=True, more=""):
        self.state, self.log = folder / "state", folder / "hub.log"
        ports, self.token = [free_port() for _ in range(3)], secrets.token_hex(16)
        self.address = f"http://127.0.0.1:{ports[0]}"
        text = OURS.format(trial=trial, configuration=str(CONFIGURATION), ports=ports, token=self.token, more=more)
        (folder / "config.py").write_text(text)
        (folder / "config.py").chmod(0o600)
        drop = ("EXACTLY_ONCE_LEASE", "EXACTLY_ONCE_TMP", "EXACTLY_ONCE_WORK", "IPYTHONDIR")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "jupyterhub", "-f", str(folder / "config.py")],
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name not in drop}
                | {"EXACTLY_ONCE_HUB": str(self.state), "PATH": f"{proxy()}{os.pathsep}{os.environ['PATH']}"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self.until(lambda: "JupyterHub is now running" in self.log.read_text(), "The hub did not start")
        except BaseException:
            self.stop()
            raise

    def until(self, happened, otherwise):
        """Wait until `happened()` is true. Raises `RuntimeError` when the hub ends first, or after `LIMIT` s."""
        deadline = time.monotonic() + LIMIT
        while not (found := happened()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{otherwise}. The hub's log ends:\n{self.last_lines()}")
            time.sleep(0.1)
        return found

    def last_lines(self):
        """Return the end of the log, without what was asked and answered."""
        return "\n".join([line for line in self.log.read_text().splitlines() if " 200 GET " not in line][-60:])

    def ask(self, path, method="GET", body=None, token=None):
        """Return the answer of the hub or of a seat as (status, what its JSON says)."""
        request = urllib.request.Request(
            self.address + path,
            method=method,
            headers={"Authorization": f"token {token or self.token}"},
            data=None if body is None else json.dumps(body).encode(),
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # it is on this machine
        try:
            with direct.open(request, timeout=LIMIT) as reply:
                status, text = reply.status, reply.read()
        except urllib.error.HTTPError as why:
            with why:
                status, text = why.code, why.read()
        try:
            return status, json.loads(text or "null")
        except ValueError:
            return status, text.decode(errors="replace")

    def log_in(self, name, password):
        """Send the form of the login page, and return the answer's status: 200 is the user's page, 403 a refusal."""
        cookies = http.cookiejar.CookieJar()
        form = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(cookies)
        )
        page = f"{self.address}/hub/login?next=%2Fhub%2Fhome"
        form.open(page, timeout=LIMIT).close()
        mark = next(cookie.value for cookie in cookies if cookie.name == "_xsrf")
        filled = urllib.parse.urlencode({"username": name, "password": password, "_xsrf": mark}).encode()
        try:
            with form.open(page, filled, timeout=LIMIT) as reply:
                return reply.status if reply.url.endswith("/hub/home") else reply.url
        except urllib.error.HTTPError as why:
            with why:
                return why.code

    def seat(self, name):
        """Begin to start the server of learner `name`, a new user of the hub where there is none, and return it."""
        self.ask(f"/hub/api/users/{name}", "POST")
        token = self.ask(f"/hub/api/users/{name}/tokens", "POST", {})[1]["token"]
        status, said = self.ask(f"/hub/api/users/{name}/server", "POST")
        assert status in (201, 202), said
        return Seat(self, name, token)

    def stop(self):
        """Stop the hub, and so its seats, and wait until it is gone."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(LIMIT)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Seat:
    """One learner's server behind the hub, and one kernel there."""

    def __init__(self, hub, name, token):
        self.hub, self.name, self.token = hub, name, token

    def ask(self, path, method="GET", body=None, token=None):
        """Return the answer of this seat's server, asked as its learner, or as whoever has `token`."""
        return self.hub.ask(f"/user/{self.name}/{path}", method, body, token or self.token)

    def ready(self):
        """Wait until the server answers."""

        def there():
            user = self.hub.ask(f"/hub/api/users/{self.name}")[1]
            server = user["servers"].get("", {})
            if not (server.get("ready") or server.get("pending")):
                raise RuntimeError(f"The server of {self.name} ended:\n{self.hub.last_lines()}")
            return server.get("ready")

        self.hub.until(there, f"The server of {self.name} did not start")
        return self

    def open(self, notebook="my-work/notebooks/00-start-here.ipynb"):
        """Open a notebook: its kernel starts."""
        body = {"path": notebook, "name": "", "type": "notebook", "kernel": {"name": "python3"}}
        status, self.session = self.ask("api/sessions", "POST", body)
        assert status == 201, self.session
        return self

    def run(self, code):
        """Run code in the kernel and return what it printed. Raises `RuntimeError` with the kernel's error."""
        where = f"/user/{self.name}/api/kernels/{self.session['kernel']['id']}/channels"
        line = websocket.create_connection(
            self.hub.address.replace("http", "ws") + where,
            header=[f"Authorization: token {self.token}"],
            timeout=LIMIT,
            http_no_proxy=["*"],
        )
        with contextlib.closing(line):
            content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
            asked = Session().msg("execute_request", content)
            line.send(json.dumps({**asked, "channel": "shell"}, default=str))
            printed, done = [], set()
            while done < {"idle", "reply"}:
                message = json.loads(line.recv())
                if message["parent_header"].get("msg_id") != asked["msg_id"]:
                    continue
                kind, content = message["header"]["msg_type"], message["content"]
                if kind == "stream" and content["name"] == "stdout":
                    printed.append(content["text"])
                elif kind == "error":
                    raise RuntimeError("\n".join(content["traceback"]))
                elif kind == "execute_reply":
                    done.add("reply")
                elif kind == "status" and content["execution_state"] == "idle":
                    done.add("idle")
            return "".join(printed)

"""The course on a JupyterHub of one computer: `jupyterhub -f docs/jupyterhub_config.py`. See jupyterhub.md beside it.

Started by root, the learners are users of the system, each with an account, a home and a password of their own.
Started by anybody else, it is a trial: each name has a folder of its own, but all run under one account, so nothing
keeps one learner out of another's files. Tried with JupyterHub 6.1 by tests/course/setup/test_hub.py.
"""

import os
import resource
import secrets
import sys
from pathlib import Path

import psutil

c = get_config()  # noqa: F821 - JupyterHub defines it

GROUP = "learners"  # members of this group of the system may log in
SEAT = 1.5e9  # bytes that a seat is taken to need: its server, one notebook and one cluster, with room to spare
OF_ONE_PROCESS = 2_000_000_000  # bytes of its own that any one process of a seat may have
FILES = 65_536  # that a process may have open; Java needs 4096
PROCESSES = 4000  # and threads, which a user of the system may have in all; a cluster takes some hundred
IDLE = 45 * 60  # s after which an idle notebook's kernel is ended, its cluster with it, and then the empty server

AS_ROOT = os.geteuid() == 0
state = Path("/var/lib/exactly-once-hub" if AS_ROOT else Path.home() / ".exactly-once-hub")
state = Path(os.environ.get("EXACTLY_ONCE_HUB", state))  # the hub's database, secrets, and a trial's homes
state.mkdir(mode=0o700, parents=True, exist_ok=True)
state.chmod(0o700)

# The door. It stands open to this computer alone. To let others in, put a proxy with TLS before it (nginx, Caddy), or
# give JupyterHub.ssl_key and ssl_cert. Never put another address here without TLS: passwords go through this door.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = f"sqlite:///{state / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(state / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")
c.JupyterHub.cleanup_servers = True  # when the hub ends, so do the seats
c.JupyterHub.active_server_limit = max(1, int(psutil.virtual_memory().total * 0.9 / SEAT))

# Who may come in.
if AS_ROOT:
    from jupyterhub.spawner import LocalProcessSpawner as Base

    c.JupyterHub.authenticator_class = "pam"  # the system's own passwords
    c.PAMAuthenticator.allowed_groups = {GROUP}
    c.PAMAuthenticator.open_sessions = False
else:
    from jupyterhub.spawner import SimpleLocalProcessSpawner as Base

    password = state / "password"
    if not password.exists():
        password.touch(mode=0o600)
        password.write_text(secrets.token_urlsafe(12))
    c.JupyterHub.authenticator_class = "shared-password"
    c.SharedPasswordAuthenticator.user_password = password.read_text().strip()
    c.Authenticator.allow_all = True  # whoever has the password, by any name
    c.Authenticator.username_pattern = r"[a-z][a-z0-9-]{0,30}\Z"  # a folder has this name
    c.SimpleLocalProcessSpawner.home_dir_template = str(state / "homes" / "{username}")
    print(f"The password of this trial is in {password}.", flush=True)


def lower(kind, most):
    """Lower a limit of this process and of those that it starts; a limit that is lower already stays."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


class Seat(Base):
    """A server under the learner's account, with limits that hold for each of its processes, not for their sum."""

    def make_preexec_fn(self, name):
        """Return what the new process does first: it takes the limits upon itself, then the learner's account."""
        become = super().make_preexec_fn(name)

        def begin():
            os.umask(0o077)  # what a learner writes is nobody else's
            os.nice(5)  # the hub and its proxy go first
            lower(resource.RLIMIT_NOFILE, FILES)
            # Not RLIMIT_AS: Java reserves addresses by the gigabyte, and would not start.
            lower(resource.RLIMIT_DATA, OF_ONE_PROCESS)
            if AS_ROOT:  # it counts what an account has: in a trial, all seats together
                lower(resource.RLIMIT_NPROC, PROCESSES)
            become()

        return begin


c.JupyterHub.spawner_class = Seat
c.Spawner.cmd = [sys.executable, "-P", "-m", "exactly_once.course.setup.hub"]  # own folders, cluster and copies
c.Spawner.notebook_dir = "~"
c.Spawner.default_url = "/lab/tree/my-work/notebooks/00-start-here.ipynb"
c.Spawner.start_timeout = c.Spawner.http_timeout = 300  # s; a whole class starts at once
c.Spawner.args = [
    f"--MappingKernelManager.cull_idle_timeout={IDLE}",
    "--MappingKernelManager.cull_interval=60",
    "--MappingKernelManager.cull_connected=True",  # an open page alone keeps no gigabyte
    f"--ServerApp.shutdown_no_activity_timeout={IDLE}",
]

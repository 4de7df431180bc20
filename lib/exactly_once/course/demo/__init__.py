"""`make demo`: a page for a projector, without code, on this machine's loopback and behind a token.

`python -m exactly_once demo` is the same. It opens the page in a browser, or prints its address where there is none.
"""

import os
import secrets
import signal
import sys
import tempfile
import webbrowser
from pathlib import Path
from types import ModuleType
from typing import Any

from ...errors import CourseError, printable
from ...paths import replaced, temporary
from ...servers.process import free_port
from ..parser import Parser
from ..setup import finish, lab

HERE = Path(__file__).parent  # with the notebook behind the page, and its template in share/
NOTEBOOK = HERE / "demo.ipynb"
TEMPLATE = "demo"
LONELY_SECONDS = 60  # after which a kernel without a page is ended


def settings(folder: Path) -> dict[str, Any]:
    """Return Voilà's configuration; the kernels' sockets are in `folder`. The log goes to a file."""
    return {
        "Voila": {
            "ip": lab.LOOPBACK,
            "root_dir": str(HERE),
            "connection_dir_root": str(folder),
            "open_browser": False,  # it would open the address without the token
            "log_level": "ERROR",
            "logging_config": lab.log_to("demo.log", "Voila"),
        },
        "VoilaConfiguration": {
            "template": TEMPLATE,
            "allow_template_override": "NO",
            "file_allowlist": [],
            "prelaunch_hook": give_cookie,
        },
        "KernelManager": lab.kernels(folder / "voila_12345678"),
        # A page that did not come up, such as a preview of the link, never ends its kernel itself.
        "MappingKernelManager": {"cull_idle_timeout": LONELY_SECONDS, "cull_interval": LONELY_SECONDS // 3},
    }


def give_cookie(handler: Any, **_: Any) -> None:
    """Set the cookie against forged requests, without which a page that is left may not end its kernel."""
    _ = handler.xsrf_token  # tornado sets the cookie when the token is asked for


def voila() -> ModuleType:
    """Return Voilà's module. Raises `CourseError` when it is not installed."""
    try:
        import voila.app as found
    except ModuleNotFoundError as why:
        raise CourseError(
            "The demo needs Voilà, which is not installed here. Call: pip install 'exactly-once[lab,spark,demo]'."
        ) from why
    return found


def launch(port: int | None = None, browser: bool = True) -> None:
    """Serve the page until Ctrl-C, on `port`, or on a free one.

    Raises `CourseError` when Voilà is not there or when the port is taken. Without a Java the page starts all the
    same: its simulated runs need none.
    """
    os.environ.update(lab.environment())
    os.environ.pop("JUPYTER_CONFIG_PATH", None)
    os.environ["JUPYTER_PATH"] = str(HERE / "share")  # where the template is
    app_module = voila()
    if port:
        lab.check_port(port)
    try:
        finish.java()
        finish.faster_start()
    except CourseError as why:
        print(f"{why} The demo runs without: only “Now for real” needs a Java.", flush=True)
    with tempfile.TemporaryDirectory(prefix="d", dir=temporary("jupyter", "runtime")) as folder:
        from tornado.ioloop import IOLoop
        from traitlets.config import Config

        server = app_module.Voila(config=Config(settings(Path(folder))), config_file_paths=[])
        server.token = secrets.token_hex(24)
        server.port = port or free_port()
        server.initialize([str(NOTEBOOK)])
        for name in (signal.SIGHUP, signal.SIGINT):  # a closed terminal, and Ctrl-C also while no loop runs
            signal.signal(name, signal.getsignal(signal.SIGTERM))
        IOLoop.current().add_callback(tell_address, server, browser and lab.has_display())
        server.start()


def tell_address(server: Any, browser: bool) -> None:
    """Print the page's address, once the server listens, and open it if `browser`."""
    address = f"http://{lab.LOOPBACK}:{server.port}/?token={server.token}"
    print("The demo is running. Its address:", f"\n    {address}\n", sep="\n", flush=True)
    print("For the projector: the browser's full screen (F11). To stop the demo, press Ctrl-C here.")
    print(f"Its log is {temporary('jupyter') / 'demo.log'}.", flush=True)
    if browser:
        # By way of a file, so that the token is not in the list of processes, which all users can read.
        door = replaced(
            temporary("jupyter") / "demo.html", f'<meta http-equiv="refresh" content="0;url={address}">', 0o600
        )
        webbrowser.open(door.as_uri())


def main(argv: list[str] | None = None) -> int:
    """Serve the demo. Returns the exit status."""
    parser = Parser(prog="python -m exactly_once demo", description=__doc__)
    parser.add_argument("--port", type=int, help="the port to listen on (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    options = parser.parse_args(argv)
    if options.port is not None:
        lab.asked_port([f"--port={options.port}"])
    try:
        launch(options.port, not options.no_browser)
    except CourseError as why:
        print(printable(str(why)), file=sys.stderr)
        return 1
    return 0

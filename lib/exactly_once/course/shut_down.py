"""The button *Shut this kernel down*, which frees the memory of an open notebook's kernel.

The server would report a kernel that ends by itself as dead, and start the kernel again. So the button asks the
server to shut the kernel down, as JupyterLab's own menu does.
"""

import json
import os
import re
import threading
import urllib.request
from pathlib import Path

import psutil

from ..errors import CourseError
from ..widgets.base.buttons import ActingButton

MENU = "Use JupyterLab's menu: Kernel → Shut Down Kernel."


def shut_down_button() -> ActingButton:
    """Return the button, with a sentence on the memory to free. Nothing happens before a click."""
    held = psutil.Process().memory_full_info().uss // 10**6  # MB that nobody else uses
    return ActingButton(
        "Shut this kernel down",
        "end this notebook's Python process; the notebook stays as it is",
        f"Frees the {held} MB that this notebook's kernel holds. What you see and saved stays; its variables go.",
        lambda: shut_down(f"The kernel is shut down, and {held} MB are free. A cell that you run starts a new one."),
        "eo-shut-down",
    )


def shut_down(sentence: str) -> str:
    """Ask this kernel's server to shut it down, and return `sentence`, which is shown before the end.

    Raises `CourseError` when no server is found.
    """
    request = urllib.request.Request(*_kernel_at_its_server(), method="DELETE")
    timer = threading.Timer(0.5, _send, [request])  # in a thread: to end, the kernel's main one must be free
    timer.daemon = True
    timer.start()
    return sentence


def _kernel_at_its_server() -> tuple[str, None, dict[str, str]]:
    """Return (address of this kernel at its Jupyter server, None, headers with the server's token)."""
    from ipykernel.connect import get_connection_file
    from jupyter_core.paths import jupyter_runtime_dir

    try:
        number = re.fullmatch(r"kernel-(.+)\.json", Path(get_connection_file()).name)[1]  # type: ignore[index]
        server = json.loads(Path(jupyter_runtime_dir(), f"jpserver-{os.environ['JPY_PARENT_PID']}.json").read_text())
        address = f"{server['url'].rstrip('/')}/api/kernels/{number}"
    except (RuntimeError, TypeError, KeyError, OSError, ValueError):
        raise CourseError(f"No Jupyter server is found that has started this kernel. {MENU}") from None
    return address, None, {"Authorization": f"token {server['token']}"}


def _send(request: urllib.request.Request) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # it is on this machine
    try:
        with direct.open(request, timeout=30):
            pass
    except OSError as why:
        print(f"The kernel could not be shut down ({why}). {MENU}")

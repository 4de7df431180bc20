"""What is imported at import: the library's main names, and the widgets' models, come without the heavy packages."""

import subprocess
import sys

import pytest

from exactly_once.paths import ROOT

BLOCKED = ("pandas", "plotly", "pyspark", "numpy", "psutil", "fcntl", "IPython")
WIDGETS = ROOT / "lib" / "exactly_once" / "widgets"
MODELS = sorted(f"{path.parent.name}.{path.stem}" for path in WIDGETS.glob("*/*model.py"))
AT_IMPORT = (*BLOCKED, "greenlet")  # which a run needs, and a name does not
BARE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"{name} is imported at import", name=name)

def refused(event, arguments):
    if event in ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec", "os.system"):
        raise AssertionError(f"{event} at import: {arguments}")

sys.meta_path.insert(0, Blocked())
sys.addaudithook(refused)
"""


def bare(code: str, blocked: tuple[str, ...] = AT_IMPORT) -> str:
    """Run code in a new Python in which these packages are not there, and no process can be started; its errors."""
    command = [sys.executable, "-c", f"BLOCKED = {blocked}\n{BARE}{code}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stderr


@pytest.mark.parametrize("name", ["", "simulate", "judge", "prove", "show", "Job", "FaultPlan"])
def test_a_main_name_is_imported_without_them(name):
    assert bare(f"from exactly_once import {name}" if name else "import exactly_once") == ""


def test_the_models_of_the_widgets_are_imported_without_them():
    assert len(MODELS) > 10
    imports = [f"import exactly_once.widgets.{model}" for model in MODELS]
    assert bare("\n".join(imports)) == ""


def test_a_handler_is_run_judged_and_proved_without_them():
    code = (
        "from exactly_once import judge, prove, simulate\n"
        "from exactly_once.handlers import at_least_once\n"
        "assert judge(simulate(at_least_once), at_least_once).exactly_once\n"
        "assert not prove(at_least_once, items=1).ok\n"
        "from exactly_once.stores import levels_and_forms\n"
        "assert levels_and_forms(levels=['snapshot']).right('SET') == ['snapshot']\n"
    )
    assert bare(code, BLOCKED) == ""


OF_PYTHON = "asyncio, concurrent.futures.thread, email.mime.text, http.server, multiprocessing.pool, sqlite3"
NAMES = "from exactly_once import judge, prove, show, simulate"


def processor_seconds(*codes: str) -> list[float]:
    """Return for each code the least processor time, of five new Pythons, in which one starts and runs it.

    They take turns, so that whatever else the machine does falls on all of them.
    """

    def run(code):
        command = [sys.executable, "-c", f"{code}\nimport time\nprint(time.process_time())"]
        return float(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)

    rounds = [[run(code) for code in codes] for _ in range(5)]
    return [min(times) for times in zip(*rounds, strict=True)]


@pytest.mark.not_by_day
def test_the_main_names_are_imported_fast():
    python, names = processor_seconds(f"import {OF_PYTHON}", NAMES)
    assert names < 6 * python  # 0.37 s where these take 0.09; with pandas and plotly it is 15 times as much

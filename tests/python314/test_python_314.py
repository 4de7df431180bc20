"""Explorer, nodes, stores, simulation, verdict and one cluster on a Python 3.14 that Maven brings.

Few machines have Python 3.14. Maven Central has one for Linux, of the JavaCPP presets (org.bytedeco:cpython).
"""

import os
import platform
import shutil
import subprocess
import zipfile

import pytest

from exactly_once.paths import ROOT

VERSION = "3.14.3-1.5.13"
PACKAGES = "cloudpickle greenlet packaging psutil numpy pandas pyarrow pyspark kafka-python".split()
PACKAGES += "confluent-kafka psycopg[binary] pytest pytest-timeout pytest-xdist hypothesis".split()
PACKAGES += "anywidget ipywidgets plotly".split()  # a story is read in the debugger, too
FOLDERS = "explore adversary node stores simulate verdict".split()
RUN = """
from exactly_once import FaultPlan, Job, run_on_cluster
from exactly_once.handlers import transactional
from exactly_once.spark import stop_cluster
print(len(run_on_cluster(transactional, FaultPlan.crash("C", item=3), Job(items=6)).outcome.outputs))
stop_cluster()
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("mvn"), reason="Python 3.14 comes by Maven, and mvn is not installed"),
    pytest.mark.skipif(platform.system() != "Linux", reason="Maven has this Python for Linux only"),
]


@pytest.fixture(scope="module")
def python():
    """Return a function that runs this Python 3.14 with arguments, and returns what it printed."""
    home = ROOT / ".tmp/python314"
    inner = home / "org/bytedeco/cpython/linux-x86_64"
    environment = {
        **os.environ, "PYTHONHOME": str(inner), "LD_LIBRARY_PATH": f"{inner}:{inner / 'lib'}",
        "PYTHONPATH": f"{ROOT / 'lib'}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1", "EXACTLY_ONCE_LEASE": "python314",
    }  # fmt: skip

    def run(*arguments):
        done = subprocess.run(
            [inner / "bin/python3.14", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-3_000:]
        return done.stdout

    if not (inner / "bin/python3.14").exists():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        wanted = f"-Dartifact=org.bytedeco:cpython:{VERSION}:jar:linux-x86_64"
        subprocess.run(["mvn", "-q", "dependency:copy", wanted, f"-DoutputDirectory={home}"], check=True)
        with zipfile.ZipFile(next(home.glob("*.jar"))) as jar:
            jar.extractall(home)
        (inner / "bin/python3.14").chmod(0o700)
    run("-m", "pip", "install", "--quiet", "-c", "requirements.lock", *PACKAGES)
    return run


@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder(python, folder):
    chosen = "-m", "not slow and not not_by_day", f"tests/{folder}"
    assert " passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen)


@pytest.mark.timeout(1_800)
def test_a_run_on_the_cluster(python):
    assert python("-c", RUN).split()[-1] == "6"

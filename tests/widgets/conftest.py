"""Makes the fakes of this folder importable, and gives models that use them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fakes import FakeWorlds

from exactly_once.widgets.console.console_model import ConsoleModel


@pytest.fixture
def worlds():
    return FakeWorlds()


@pytest.fixture
def model(worlds):
    model = ConsoleModel(worlds=worlds)
    yield model
    worlds.gate.set()
    worlds.starting.set()
    model.do("stop")
    model.wait(60)

"""What the tests share."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
#: With CI=true nothing may be skipped.
REQUIRED = os.environ.get("CI") == "true"


def needs(name: str) -> ModuleType:
    """A package that not everyone has; in continuous integration everyone does."""
    if REQUIRED:
        return importlib.import_module(name)
    module: ModuleType = pytest.importorskip(name)
    return module


@pytest.fixture
def fresh_engine() -> Iterator[Any]:
    """An engine that the test may end."""
    from winnow_dp._engine import engine

    engine.stop()
    yield engine
    engine.stop()

"""The notebooks of python/examples run from start to end, and what is stored in them is what they show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, needs

NOTEBOOKS = sorted((ROOT / "python/examples").glob("*.ipynb"))


@pytest.fixture(scope="module")
def execute() -> Any:
    for name in ("nbclient", "ipykernel", "pandas", "polars", "pyarrow", "duckdb", "opendp"):
        needs(name)
    import importlib.util

    spec = importlib.util.spec_from_file_location("execute", ROOT / "python/examples/execute.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_is_stored(path: Path, tmp_path: Path, execute: Any) -> None:
    import nbformat

    stored, now = nbformat.read(path, as_version=4), execute.executed(path, str(tmp_path))
    nbformat.validate(now)
    assert [forms(cell) for cell in stored.cells] == [forms(cell) for cell in now.cells]
    assert any(forms(cell) for cell in now.cells)


def forms(cell: Any) -> list[Any]:
    """What a cell shows, without the noise: the forms of each output."""
    outputs = cell.get("outputs", [])
    assert all(output.output_type != "error" and output.get("name") != "stderr" for output in outputs)
    # Printing may come in one piece or in several.
    shown: list[Any] = [sorted(output.data) for output in outputs if "data" in output]
    return shown + ["printed"] * any("text" in output for output in outputs)

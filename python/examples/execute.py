"""Executes the notebooks of this folder and stores what they show: python python/examples/execute.py"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
SOURCES = str(FOLDER.parent / "src")


def executed(path: Path, folder: str) -> Any:
    """The notebook as it is after all its cells ran in ``folder``."""
    notebook = nbformat.read(path, as_version=4)
    # The package as it is here, whether or not one is installed.
    first = nbformat.v4.new_code_cell(f"import sys; sys.path.insert(0, {SOURCES!r})")
    notebook.cells.insert(0, first)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    del notebook.cells[0]
    for number, cell in enumerate((each for each in notebook.cells if each.cell_type == "code"), 1):
        cell.execution_count = number
        cell.metadata.pop("execution", None)
        # Warnings are about the rows, for their curator's eyes only, and a stored notebook has other readers.
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def main() -> int:
    for path in sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(path, folder), path)
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())

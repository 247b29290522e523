"""The Python examples of the documents run, and the values after their arrows are compared."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

DOCUMENTS = [ROOT / "docs/guide/python.md", ROOT / "python/README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ARROW = re.compile(r"# → (.*)$")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_of_a_document_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = document.read_text(encoding="utf8")
    blocks = BLOCK.findall(text)
    assert blocks
    scope: dict[str, Any] = {}
    for block in blocks:
        run(block, scope)


def run(block: str, scope: dict[str, Any]) -> None:
    lines = block.splitlines()
    for statement in ast.parse(block).body:
        code = ast.unparse(statement)
        arrow = ARROW.search(lines[(statement.end_lineno or 1) - 1])
        if arrow is None:
            exec(code, scope)
        else:
            assert repr(eval(code, scope)) == arrow[1], code


def test_a_wrong_value_would_be_found() -> None:
    with pytest.raises(AssertionError):
        run("1 + 1  # → 3", {})

"""The command line of this repository, as its users run it."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest
from conftest import REQUIRED, ROOT


def winnow(*words: str) -> Any:
    """Runs it and reads what it prints as JSON."""
    node, program = shutil.which("node"), ROOT / "packages/cli/bin/winnow.js"
    if node is None or not program.exists():
        if REQUIRED:
            raise AssertionError("the command line isn't built")
        pytest.skip("the command line isn't built")
    done = subprocess.run([node, str(program), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

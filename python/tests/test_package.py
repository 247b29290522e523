"""The wheel: the same bytes from the same build, small, and complete in an empty environment on every Python that is here."""

from __future__ import annotations

import ensurepip
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, needs

from winnow_dp._node import find_node

MOST_BYTES = 3_000_000
SUPPORTED = ["3.10", "3.11", "3.12", "3.13", "3.14"]


def build(folder: Path) -> Path:
    needs("hatchling")
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    words = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(words, cwd=ROOT / "python", env=env, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = build(tmp_path)
    assert again.name == wheel.name == "winnow_dp-0.1.0-py3-none-any.whl"
    assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(wheel.read_bytes()).digest()


def test_it_is_small_and_has_what_it_needs(wheel: Path) -> None:
    assert wheel.stat().st_size <= MOST_BYTES
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        licences = archive.read("winnow_dp/command/licenses.md").decode()
    needed = ["__init__.py", "_generated.py", "py.typed", "engine/engine.mjs", "command/bin/winnow.js", "command/bin/reader-process.js"]
    assert {f"winnow_dp/{name}" for name in needed} <= names
    assert not [name for name in names if name.endswith((".node", ".so", ".pyd", ".map", ".pyc"))]
    assert "## commander - " in licences


def pythons() -> dict[str, str]:
    """One of each version that is on the PATH or that pyenv has, and can make environments."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found: dict[str, str] = {}
    for version in SUPPORTED:
        candidates = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"versions/{version}.*/bin/python"))]
        for candidate in candidates:
            check = f"import sys, venv; sys.exit(sys.version_info[:2] != ({version.replace('.', ', ')}))"
            if candidate and subprocess.run([candidate, "-c", check], capture_output=True, check=False).returncode == 0:
                found[version] = str(candidate)
                break
    return found


PYTHONS = pythons()

SCRIPT = """
import sys, winnow_dp as winnow
assert winnow.__file__.startswith(sys.prefix), winnow.__file__
print(winnow.top_k({"Alster": 900, "Bille": 0}, k=1, epsilon=1).winners[0].candidate)
"""


@pytest.mark.parametrize("version", PYTHONS)
def test_it_works_in_an_empty_environment(version: str, wheel: Path, tmp_path: Path) -> None:
    """Without the network: Node is the one of this environment, which WINNOW_NODE names."""
    place = tmp_path / "environment"
    subprocess.run([PYTHONS[version], "-m", "venv", "--without-pip", str(place)], check=True)
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    (pip,) = Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl")  # runs without being installed
    install = [str(python), f"{pip}/pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*install, str(wheel)], check=True)
    env = {name: part for name, part in os.environ.items() if name != "PYTHONPATH"} | {"WINNOW_NODE": find_node()}
    said = subprocess.run([str(python), "-c", SCRIPT], env=env, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (said.stdout.strip(), said.returncode) == ("Alster", 0), said.stderr
    command = [str(python.parent / "winnow"), "--version"]
    assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip() == "0.1.0"


def test_this_python_is_among_them() -> None:
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in PYTHONS

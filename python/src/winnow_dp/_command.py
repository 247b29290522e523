"""The command ``winnow``: the command line of the npm package as far as the wheel carries it, run by the same Node as the engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ._errors import WinnowError
from ._node import find_node

_FOLDER = Path(__file__).parent
_PROGRAM = _FOLDER / "command" / "bin" / "winnow.js"


def main() -> int:
    """Runs it with the arguments of this process."""
    try:
        node = find_node()
    except WinnowError as error:
        print(f"winnow: {error}", file=sys.stderr)
        return 4
    # Rows are counted by Python's duckdb, in a process of its own.
    os.environ["WINNOW_DUCKDB"] = json.dumps([sys.executable, str(_FOLDER / "_duckdb.py")])
    words = [node, "--no-warnings", str(_PROGRAM), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(words, check=False).returncode
    os.execv(node, words)


if __name__ == "__main__":
    sys.exit(main())

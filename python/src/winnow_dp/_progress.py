"""The notebook's own bar, while something takes long."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

_STEPS = 100


@contextlib.contextmanager
def progress_bar(show: Callable[[float], None] | None) -> Iterator[Callable[[float], None] | None]:
    """A function that is told the share that is done: the given one, or a bar if this is a notebook, or none."""
    if show is not None or not _is_notebook():
        yield show
        return
    display: Any = importlib.import_module("IPython.display")  # it has no types
    bar = display.ProgressBar(_STEPS)
    handle = display.DisplayHandle()
    handle.display(bar)

    def move(share: float) -> None:
        step = min(_STEPS, int(share * _STEPS))
        if step > bar.progress:
            bar._progress = step
            handle.update(bar)

    yield move
    move(1.0)


def _is_notebook() -> bool:
    """Whether a kernel shows what we display. IPython is looked at only if it runs already."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")

"""Privacy losses."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from ._values import Extended

Measure = Literal["pure", "base2", "zcdp", "renyi", "approx"]


@dataclasses.dataclass(frozen=True)
class Loss:
    """A privacy loss in one measure: pure ε, base-2 η, ρ of zCDP (with a δ perhaps), a Rényi curve, or (ε, δ).

    Make one with ``pure``, ``base2``, ``zcdp``, ``renyi`` or ``approx``.
    """

    measure: Measure
    epsilon: Extended | None = None
    eta: Extended | None = None
    rho: Extended | None = None
    delta: Fraction | None = None
    curve: Any = None

    def to_json(self) -> dict[str, str]:
        """As in releases: the measure, and exact numbers as texts."""
        if self.curve is not None:
            raise TypeError("A curve has no form in JSON: convert it to another measure first.")
        return {name: _text(part) for name, part in self._parts()}

    def to_engine(self) -> dict[str, Any]:
        return dict(self._parts())

    def _parts(self) -> list[tuple[str, Any]]:
        names = ("measure", "epsilon", "eta", "rho", "curve", "delta")
        return [(name, part) for name in names if (part := getattr(self, name)) is not None]

    def __str__(self) -> str:
        from ._generated import describe_loss

        return describe_loss(self)

    def __repr__(self) -> str:
        return f"Loss({', '.join(f'{name}={_text(part)}' for name, part in self._parts())})"


def _text(part: Any) -> str:
    return "Infinity" if part == math.inf else str(part)


def read_loss(sent: Mapping[str, Any]) -> Loss:
    """A loss that the engine sent."""
    from ._generated import RenyiCurve

    parts = {name: sent[name] for name in ("measure", "epsilon", "eta", "rho", "delta") if name in sent}
    if "curve" in sent:
        parts["curve"] = RenyiCurve._adopt(sent["curve"])
    return Loss(**parts)

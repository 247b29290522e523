"""Values of Python as the engine's, and back. Nothing is rounded: numbers are sent as their exact text or as their bytes."""

from __future__ import annotations

import array
import math
import numbers
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from ._errors import WinnowError, camel_case

if TYPE_CHECKING:
    from ._engine import _Process

#: An exact number. A ``float`` means its shortest decimal: ``0.1`` is one tenth, as in JavaScript.
RationalLike = Union[int, str, float, Fraction, Decimal]
#: An exact number, or ``math.inf``.
Extended = Union[Fraction, float]
#: Scores of candidates: numbers in a list, a NumPy array, a Series or an Arrow array; or a mapping from names to numbers.
Scores = Any
#: The same where names are texts.
Counts = Any
#: Numbers in a list, a NumPy array, a Series or an Arrow array.
Numbers = Any
#: Numbers, or pairs of a number and how often it comes.
Points = Any
Names = Sequence[Any]

_SAFE = 2**53 - 1


class Buffer:
    """Numbers as they lie in memory."""

    __slots__ = ("type", "view")

    def __init__(self, view: memoryview, kind: str) -> None:
        self.view = view
        self.type = kind


class Named:
    """Numbers by name."""

    __slots__ = ("names", "numbers")

    def __init__(self, names: Sequence[Any], scores: Any) -> None:
        self.names = names
        self.numbers = scores


#: By the codes of the struct module, where they have one size on all systems, and by size elsewhere.
_CODES = {"d": "f8", "f": "f4"} | {code: f"i{array.array(code).itemsize}" for code in "bhilq"} | {
    code: f"u{array.array(code).itemsize}" for code in "BHILQ"
}


def encode(value: Any, buffers: list[memoryview], callbacks: list[Callable[..., Any]], process: _Process) -> Any:
    """A value as JSON; buffers and functions are added to their lists."""
    from ._engine import EngineObject, Reference

    def write(part: Any) -> Any:
        kind = type(part)
        if part is None or kind is str or kind is bool:
            return part
        if kind is int:
            return part if -_SAFE <= part <= _SAFE else {"$": "i", "v": str(part)}
        if kind is float:
            return part if math.isfinite(part) else {"$": "f", "v": _UNUSUAL.get(part, "NaN")}
        if kind is list or kind is tuple:
            return [write(each) for each in part]
        if kind is dict:
            return {name: write(each) for name, each in part.items()}
        if isinstance(part, Buffer):
            buffers.append(part.view)
            return {"$": "b", "v": len(buffers) - 1, "t": part.type}
        if isinstance(part, Named):
            return {"$": "m", "k": write(list(part.names)), "v": write(part.numbers)}
        if isinstance(part, Fraction):
            return f"{part.numerator}/{part.denominator}"
        if isinstance(part, Decimal):
            return f"{part:f}" if part.is_finite() else str(part)
        if isinstance(part, EngineObject):
            part = part._reference
        if isinstance(part, Reference):
            if part.process is not process:
                raise WinnowError("engine-stopped", "An object was lost when the engine stopped.", next="Make it again.")
            return {"$": "r", "v": part.number}
        if hasattr(part, "to_engine"):
            return write(part.to_engine())
        if isinstance(part, (bytes, bytearray, memoryview)):
            buffers.append(memoryview(part).cast("B"))
            return {"$": "b", "v": len(buffers) - 1, "t": "u1"}
        if isinstance(part, (bool, str)):
            return part + "" if isinstance(part, str) else bool(part)
        if isinstance(part, numbers.Rational) and not isinstance(part, numbers.Integral):
            return f"{part.numerator}/{part.denominator}"
        if hasattr(part, "__index__"):  # also numpy's integers; numpy's bool has none
            return write(operator.index(part))
        if isinstance(part, float):
            return write(float(part))
        if hasattr(part, "dtype") and getattr(part, "ndim", None) == 0:
            scalar: Any = part  # numpy's bool and float32
            return write(scalar.tolist())
        if isinstance(part, Mapping):
            return {name: write(each) for name, each in part.items()}
        if callable(part):
            callbacks.append(part)
            return {"$": "c", "v": len(callbacks) - 1}
        if isinstance(part, Iterable):
            return [write(each) for each in part]
        raise WinnowError("invalid-parameter", "An argument has a type that the engine doesn't know.")

    return write(value)


_UNUSUAL = {math.inf: "Infinity", -math.inf: "-Infinity"}


def decode(sent: Any, buffers: Sequence[bytearray], process: _Process) -> Any:
    """A value that the engine sent."""
    from ._engine import Reference

    def read(part: Any) -> Any:
        if isinstance(part, list):
            return [read(each) for each in part]
        if not isinstance(part, dict):
            return part
        kind = part.get("$")
        if kind is None:
            return {name: read(each) for name, each in part.items()}
        value: Any = part.get("v")
        if kind == "q":
            return Fraction(value)
        if kind == "i":
            return int(value)
        if kind == "f":
            return float(value)
        if kind == "v":
            return tuple(Fraction(each) for each in value)
        if kind == "m":
            return dict(zip((read(each) for each in part["k"]), (read(each) for each in value), strict=True))
        if kind == "b":
            return _list_of(buffers[value], part["t"])
        return Reference(process, value)

    return read(sent)


def _list_of(data: bytearray, kind: str) -> list[Any]:
    codes = {of: code for code, of in _CODES.items()}
    numbers_of = array.array(codes[kind])
    numbers_of.frombytes(bytes(data))
    return numbers_of.tolist()


def as_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options by the names of the library; what is None is left out."""
    made: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            value = as_options({camel_case(key): part for key, part in value.items()})
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            value = [as_options({camel_case(key): part for key, part in each.items()}) for each in value]
        made[name] = value
    return made


def as_scores(given: Any) -> tuple[Any, Names | None]:
    """Numbers to rank by, and the names of their candidates if they have any. Noise breaks ties, so names stay here."""
    names = _names_of(given)
    if names is None:
        return as_numbers(given), None
    if len(set(names)) < len(names):
        expected = "a list in which no name occurs twice"
        raise WinnowError("invalid-parameter", f"scores must be {expected}.", field="scores", expected=expected)
    return as_numbers(given.values() if isinstance(given, Mapping) else given), names


def named(sent: Any, names: Names | None) -> Any:
    """An answer about positions as one about names."""
    if names is None:
        return sent
    if "winners" in sent:
        return {**sent, "winners": [_by_name(winner, names) for winner in sent["winners"]]}
    return _by_name(sent, names)


def _by_name(winner: dict[str, Any], names: Names) -> dict[str, Any]:
    return {**winner, "candidate": names[winner["candidate"]]}


def as_counts(given: Any) -> Any:
    """How many individuals have each name. Names break ties here, so the engine gets them."""
    names = _names_of(given)
    if names is None:
        return as_numbers(given)
    return Named(list(names), as_numbers(given.values() if isinstance(given, Mapping) else given))


def as_points(given: Any) -> Any:
    """Numbers, or pairs of a number and how often it comes."""
    if isinstance(given, Mapping):
        return [[number, count] for number, count in given.items()]
    if isinstance(given, (list, tuple)) and given and isinstance(given[0], (list, tuple)):
        return [list(pair) for pair in given]
    return as_numbers(given)


def as_name(given: Any) -> Any:
    """What a candidate of a stream or a seed is called: it comes back as it was."""
    if isinstance(given, (str, int, bytes)) and not isinstance(given, bool):
        return given
    raise WinnowError("invalid-parameter", f"A name must be a str or an int; got {type(given).__name__}.")


def as_candidate(given: Any, outputs: list[Any]) -> dict[str, Any]:
    """What a program for a private candidate returned; its output stays here, and the engine gets its place."""
    made = dict(given) if isinstance(given, Mapping) else {"output": given.output, "score": given.score}
    outputs.append(made["output"])
    return {"output": len(outputs) - 1, "score": made["score"]}


def as_rows(given: Iterable[Any]) -> list[list[Any]]:
    """Tuples of texts, or of a text and a number."""
    return [list(row) for row in given]


def _names_of(given: Any) -> Sequence[Any] | None:
    """Names of a mapping or of a Series with an index of its own."""
    if isinstance(given, Mapping):
        return list(given)
    index = getattr(given, "index", None)
    if index is None or callable(index) or not hasattr(given, "to_numpy"):
        return None
    if type(index).__name__ == "RangeIndex":
        return None
    return list(index)


def as_numbers(given: Any) -> Any:
    """Numbers for the engine: as they lie in memory where they do, one by one otherwise."""
    if isinstance(given, (list, tuple)) or type(given).__name__ in ("dict_values", "range"):
        return _of_python(given)
    if not hasattr(given, "__array_interface__"):
        if type(given).__module__.startswith("pyarrow"):
            chunks = given.combine_chunks() if hasattr(given, "chunks") else given
            return as_numbers(chunks.to_numpy(zero_copy_only=False))
        if hasattr(given, "to_numpy"):  # Series of pandas and Polars
            return as_numbers(given.to_numpy())
    try:
        view = memoryview(given)
    except TypeError:
        return _of_python(list(given))
    return _of_memory(given, view)


def _of_memory(given: Any, view: memoryview) -> Any:
    code = view.format.lstrip("@=<") if sys.byteorder == "little" else view.format.lstrip("@=>")
    if view.ndim == 1 and code in _CODES:
        if not view.c_contiguous:
            copy = array.array(code)
            copy.extend(view.tolist())
            view = memoryview(copy)
        return Buffer(view.cast("B") if view.nbytes else memoryview(b""), _CODES[code])
    if code == "?":
        return _of_python([int(each) for each in view.tolist()])
    return _of_python(given.tolist() if hasattr(given, "tolist") else list(given))


def _of_python(given: Iterable[Any]) -> Any:
    """Plain numbers: doubles or 64-bit integers where all are, otherwise each on its own."""
    numbers_given = list(given)
    kinds = set(map(type, numbers_given))
    if kinds == {float}:
        return _buffer("d", numbers_given)
    if kinds == {int} and all(-_SAFE <= each <= _SAFE for each in numbers_given):
        return _buffer("d", numbers_given)  # exact in a double, which the engine scans fastest
    if kinds <= {int, float}:
        if all(type(each) is float or -_SAFE <= each <= _SAFE for each in numbers_given):
            return _buffer("d", numbers_given)
        return numbers_given
    return [_number(each) for each in numbers_given]


def _buffer(code: str, numbers_given: Sequence[Any]) -> Buffer:
    return Buffer(memoryview(array.array(code, numbers_given)).cast("B") if numbers_given else memoryview(b""), _CODES[code])


def _number(value: Any) -> Any:
    """A whole number or a double; anything else as itself, for the engine to refuse."""
    if isinstance(value, (Fraction, Decimal)):
        try:
            whole = int(value)
        except (ValueError, OverflowError):
            return math.nan
        return whole if whole == value else _fraction_refused()
    if value is None:
        return math.nan
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value
    if hasattr(value, "item"):
        return value.item()
    return math.nan


def _fraction_refused() -> Any:
    expected = "whole numbers or floats throughout"
    raise WinnowError("invalid-score", f"scores must be {expected}.", field="scores", expected=expected)

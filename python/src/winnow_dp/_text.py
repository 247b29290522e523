"""What an item or a person is called, as text: by its own value alone, whatever stands in other rows."""

from __future__ import annotations

import datetime
import math
import numbers
import re
from decimal import Decimal
from typing import Any

_MOST_DIGITS = 4000


def text_of(value: Any) -> str | None:
    """None for a value that is missing or has no text: its row is skipped.

    A float that is a whole number is written as one: a column of integers becomes floats when someone's row has none, and that
    must not rename the items of everyone else.
    """
    if isinstance(value, str):
        return value if _is_unicode(value) else None
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() < 3 * _MOST_DIGITS else None
    if isinstance(value, float):
        return _of_float(float(value))
    if isinstance(value, Decimal):
        return _of_decimal(value)
    if isinstance(value, bytes):
        try:
            return value.decode("utf8")
        except UnicodeDecodeError:
            return None
    if isinstance(value, (datetime.date, datetime.time)):  # also datetimes and the timestamps of pandas
        if value != value or not 1 <= getattr(value, "year", 1) <= 9999:  # pandas has others
            return None
        if getattr(value, "nanosecond", 0):  # of pandas; no other frame gives them
            return str(value.to_pydatetime(warn=False).isoformat())  # type: ignore[union-attr]
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return None if value != value else f"{value / datetime.timedelta(microseconds=1):.0f} us"
    return _of_other(value)


def _of_other(value: Any) -> str | None:
    kind = type(value)
    if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        plain = value.item()  # a scalar of NumPy
        return None if type(plain) is kind else text_of(plain)
    if kind.__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, numbers.Rational):
        return f"{value.numerator}/{value.denominator}"
    if kind.__name__ == "UUID":
        return str(value)
    return None  # lists, dictionaries and objects have no name


def _of_float(value: float) -> str | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value.is_integer() and abs(value) < 2**63:
        return str(int(value))
    return repr(value)


def _of_decimal(value: Decimal) -> str | None:
    if value.is_nan():
        return None
    if value.is_infinite():
        return "inf" if value > 0 else "-inf"
    if not -_MOST_DIGITS < value.adjusted() < _MOST_DIGITS:
        return None
    return f"{value:f}"


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf8")
    except UnicodeEncodeError:
        return False
    return True


_SPACES = re.compile("[\\s\u200b\ufeff]+")


def similar(users: list[str]) -> int:
    """How many people differ from another only in case or spaces."""
    plain: dict[str, int] = {}
    for user in users:
        key = _SPACES.sub(" ", user).lower().strip()
        plain[key] = plain.get(key, 0) + 1
    return sum(many for many in plain.values() if many > 1)

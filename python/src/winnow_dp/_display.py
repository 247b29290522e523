"""How results look in a notebook: as a table, and every text in it is escaped."""

from __future__ import annotations

import dataclasses
import html
import re
from fractions import Fraction
from typing import Any
from urllib.parse import quote

#: What could hide or reorder text around it, or end a line: controls, marks of direction, separators, surrogates.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]"
)


def neutral(text: str) -> str:
    """A text from the rows, safe to show: what can't be seen is shown as its code."""
    return _UNSAFE.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", text)


def shown(value: Any) -> str:
    """A value in a cell."""
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"
    return neutral(str(value))


def cell(value: Any) -> str:
    """The same as HTML."""
    return html.escape(shown(value))


def table(columns: list[str], rows: list[list[Any]]) -> str:
    """A table as HTML."""
    head = "".join(f"<th>{cell(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell(part)}</td>' for part in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def picture(svg: str, alternative: str) -> str:
    """A picture as HTML: as an image, whose scripts and links a browser never follows."""
    return f'<img alt="{html.escape(alternative)}" src="data:image/svg+xml;utf8,{quote(svg)}">'


class Table:
    """A result that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        assert dataclasses.is_dataclass(self)
        rows: list[list[Any]] = []
        lists: list[str] = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None or not field.repr:
                continue
            if isinstance(value, list) and value and dataclasses.is_dataclass(value[0]):
                lists.append(_of_records(value))
            else:
                rows.append([field.name, value])
        return "".join(lists) + table(["", ""], rows)


def _of_records(records: list[Any]) -> str:
    names = [field.name for field in dataclasses.fields(records[0]) if field.repr]
    used = [name for name in names if any(getattr(each, name) is not None for each in records)]
    return table(["", *used], [[place, *(getattr(each, name) for name in used)] for place, each in enumerate(records, 1)])

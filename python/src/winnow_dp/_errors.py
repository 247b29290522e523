"""What goes wrong: one class, with a code and fields, as in the library, the command line and the service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any


class WinnowError(Exception):
    """A refusal or a failure. ``code`` never changes its meaning; docs/guide/errors.md lists them all.

    ``field``, ``expected`` and ``got`` are those of an invalid argument; ``next`` is what to do. Nothing private is in any of them.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        expected: str | None = None,
        got: str | None = None,
        next: str | None = None,
    ) -> None:
        super().__init__(message if next is None else f"{message} {next}")
        self.code = code
        self.message = message
        self.field = field
        self.expected = expected
        self.got = got
        self.next = next

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in ("field", "expected", "got", "next")}
        return (_again, (self.code, self.message, fields))


def _again(code: str, message: str, fields: Mapping[str, Any]) -> WinnowError:
    return WinnowError(code, message, **fields)


def snake_case(name: str) -> str:
    """``maxItemsPerUser`` becomes ``max_items_per_user``."""
    name = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name).lower()


def camel_case(name: str) -> str:
    """``max_items_per_user`` becomes ``maxItemsPerUser``, and ``from_`` becomes ``from``."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


_CAMEL = re.compile(r"\b[a-z][a-z\d]*(?:[A-Z][a-z\d]*)+\b")
_OPTION = re.compile(r"--([a-z][a-z-]*[a-z])\b")
_FLAGS = {"--yes": "yes=True", "--new-dataset": "new_dataset=True", "--counts": "counts=True", "--replace": "replace=True"}
_WORDS = {"Answer on a terminal, or add --yes": "Pass --yes", "-k ": "k ", "`winnow help`": "`help(winnow.Session)`", "`winnow budget show`": "`session.account()`", "`winnow budget init`": "`session.set_budget(…)`", "`winnow budget verify`": "`session.verify()`"}


def in_python(text: str) -> str:
    """A sentence that names options of the library or of the command line, with those of Python."""
    for word, ours in _WORDS.items():
        text = text.replace(word, ours)
    text = _OPTION.sub(lambda found: _FLAGS.get(found[0]) or found[1].replace("-", "_"), text)
    return _CAMEL.sub(lambda found: snake_case(found[0]), text)


def error_of(sent: Mapping[str, Any]) -> BaseException:
    """The exception of an answer of the engine."""
    kind = sent.get("type")
    if kind == "invalid":
        field = sent.get("field")
        return WinnowError(
            sent["code"],
            in_python(sent["message"]),
            field=None if field is None else in_python(field),
            expected=None if sent.get("expected") is None else in_python(sent["expected"]),
            got=sent.get("got"),
        )
    if kind == "refused":
        return WinnowError(sent["code"], in_python(sent["message"]), next=in_python(sent["next"]))
    if kind == "unreadable":
        return WinnowError("invalid-parameter", "An argument has a type that the engine doesn't know.")
    place = sent.get("place") or "an unknown place"
    return WinnowError(
        "unexpected", f"A bug in Winnow ({sent.get('kind', 'Error')} at {place}). Please report this sentence."
    )

"""Counts people in columns that lie in memory: of each item, in groups, in rows that fit a condition, of computed items, with people cut
by keyed hashes.

A column is its rows' places among its different texts, so that what is decided about a text is decided once.
"""

from __future__ import annotations

import array
import dataclasses
import functools
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._engine import call
from ._text import similar
from ._values import Buffer

_MOST_COMPARED = 100_000
_ASKED = 2**16

#: For each row the place of its text, below 0 for a missing one; and the texts.
Column = tuple[Any, Sequence[str | None]]

#: `NUMBER_PATTERN` of winnow-release.
NUMBER = r"[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,3})?"


@dataclasses.dataclass(frozen=True)
class WantedGroups:
    """One histogram for each group; each person is counted in a few of them, and there for a few items."""

    #: One or two columns.
    by: Sequence[str]
    per_user: int
    key: bytes
    items_per_user: int | None = None
    #: The public list: rows of other groups are skipped before people are cut.
    listed: Sequence[str] | None = None
    #: The others are left out after people are cut.
    only: Sequence[str] | None = None

    @classmethod
    def of(cls, sent: Mapping[str, Any]) -> WantedGroups:
        return cls(
            by=sent["by"],
            per_user=sent["perUser"],
            key=bytes.fromhex(sent["key"]),
            items_per_user=sent.get("itemsPerUser"),
            listed=sent.get("listed"),
            only=sent.get("only"),
        )


@dataclasses.dataclass(frozen=True)
class WantedItems:
    """The items of a row, where they aren't one column as it is."""

    #: One item of a row each, as the library has read them.
    parts: Sequence[Mapping[str, Any]]
    #: A public map: items that it doesn't have are skipped.
    renamed: Mapping[str, str] | None = None

    @classmethod
    def of(cls, sent: Mapping[str, Any]) -> WantedItems:
        pairs = sent.get("map")
        return cls(sent["parts"], None if pairs is None else dict(pairs))


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What the mechanism needs of the counts."""

    kind: str
    #: At most this many items, those with the most users.
    rows: int | None = None
    #: A public list.
    items: Sequence[str] | None = None
    #: Each person counts for at most this many items or values, chosen by a keyed hash.
    items_per_user: int | None = None
    key: bytes = b""
    #: How many people are in each group, where only items that are numbers count.
    of_numbers: bool = False
    groups: WantedGroups | None = None
    #: The condition on rows as the library has read it.
    where: Mapping[str, Any] | None = None
    #: Who is counted at all, by keyed hashes.
    panel: Mapping[str, Any] | None = None
    #: Then the item that is counted is a name for them.
    computed: WantedItems | None = None
    #: The columns of groups, of the condition, and of computed items.
    also: Sequence[str] = ()

    @classmethod
    def of(cls, sent: Mapping[str, Any]) -> Wanted:
        candidates, groups, computed = sent["candidates"], sent.get("groups"), sent.get("computed")
        return cls(
            kind=candidates["kind"],
            rows=candidates.get("rows"),
            items=candidates.get("items"),
            items_per_user=sent.get("itemsPerUser"),
            key=bytes.fromhex(sent.get("key", "")),
            of_numbers=bool(candidates.get("ofNumbers")),
            groups=None if groups is None else WantedGroups.of(groups),
            where=sent.get("where"),
            panel=sent.get("panel"),
            computed=None if computed is None else WantedItems.of(computed),
            also=sent.get("also", ()),
        )

    @property
    def is_of_numbers(self) -> bool:
        """Whether items that aren't numbers are skipped before people are cut."""
        return self.kind == "numbers" or self.of_numbers

    @property
    def is_plain(self) -> bool:
        """Whether the people of each item are all that is wanted: every engine counts that by itself."""
        return all(part is None for part in (self.items_per_user, self.groups, self.where, self.panel, self.computed))


@dataclasses.dataclass
class Counted:
    """How many people each item has, and what the curator alone may know of the rows."""

    items: list[str]
    users: list[int]
    rows: int | None = None
    skipped: int | None = None
    #: Different values that aren't missing but aren't numbers are among ``items`` too: the engine sorts them out.
    similar: int | None = None
    is_whole: bool = True
    #: In groups: their texts, and how many of the items are those of each.
    groups: list[str] | None = None
    sizes: list[int] | None = None
    #: In groups: different values that aren't numbers.
    others: int | None = None

    def to_engine(self) -> dict[str, Any]:
        facts = {"rows": self.rows, "skippedRows": self.skipped, "similarUsers": self.similar or None, "skippedValues": self.others}
        if self.is_whole:
            counted = (item for item, many in zip(self.items, self.users, strict=True) if many > 0)
            facts["items"] = len(set(counted)) if self.groups is not None else sum(1 for _ in counted)
        users = Buffer(memoryview(array.array("d", self.users)).cast("B") if self.users else memoryview(b""), "f8")
        parts = {} if self.groups is None else {"groups": self.groups, "sizes": self.sizes}
        known = {name: part for name, part in facts.items() if part is not None}
        return {"items": self.items, "users": users, **parts, "facts": known}


def count(column: Callable[[str], Column], item: str, user: str, wanted: Wanted) -> Counted:
    """Counts in the columns that this function gives."""
    import numpy

    read: Callable[[str], Column] = functools.cache(lambda name: _by_text(*column(name)))
    if wanted.computed is None:
        made = read(item)
    else:
        made, read = _computed(read, wanted.computed)
    (item_codes, items), (user_codes, users) = made, read(user)
    fitting = numpy.ones(len(item_codes), bool) if wanted.where is None else _fitting(wanted.where, read)
    if wanted.panel is not None:
        fitting &= _at(user_codes, _in_panel(users, wanted.panel))
    counted = fitting & _at(item_codes, _usable(items)) & _at(user_codes, _usable(users))
    rows, found = int(fitting.sum()), int(counted.sum())
    if wanted.groups is None:
        answer = _of_all(item_codes[counted], user_codes[counted], items, users, wanted)
    else:
        answer = _in_groups(read, made, user, counted, wanted, wanted.groups)
    answer.rows, answer.skipped = rows, rows - found
    if len(users) <= _MOST_COMPARED:
        answer.similar = similar([each for each in users if each])
    return answer


def _by_text(codes: Any, texts: Sequence[str | None]) -> Column:
    """Values that have one text are one: 0.0 and -0.0, or all that have none."""
    import numpy

    places: dict[str | None, int] = {}
    for text in texts:
        places.setdefault(text, len(places))
    if len(places) == len(texts):
        return codes, texts
    new = numpy.asarray([*(places[text] for text in texts), -1], "int64")
    return new[codes], list(places)


def _computed(read: Callable[[str], Column], asked: WantedItems) -> tuple[Column, Callable[[str], Column]]:
    """A row for each item of a row: the items, and how the other columns are read for them."""
    import numpy

    places: dict[str | None, int] = {}
    made = []
    for part in asked.parts:
        codes, texts = read(part["column"])
        items = _of_texts("itemsOfTexts", part, texts)
        if asked.renamed is not None:
            items = [asked.renamed.get(item) for item in items]
        new = [places.setdefault(item, len(places)) for item in items]
        made.append(numpy.asarray([*new, -1], "int64")[codes])

    def longer(name: str) -> Column:
        codes, texts = read(name)
        return numpy.tile(codes, len(asked.parts)), texts

    return (numpy.concatenate(made), list(places)), functools.cache(longer)


def _of_texts(name: str, asked: Any, texts: Sequence[str | None]) -> list[Any]:
    """What a function of the library says of each text: some at a time, because a message can't be of any length."""
    return [said for start in range(0, len(texts), _ASKED) for said in call(name, [asked, texts[start : start + _ASKED]])]


def _of_all(item_codes: Any, user_codes: Any, items: Sequence[str | None], users: Sequence[str | None], wanted: Wanted) -> Counted:
    import numpy

    width = max(len(users), 1)
    pairs = item_codes.astype("int64") * width + user_codes
    if wanted.items_per_user is None:
        many = numpy.bincount(_unique(pairs) // width, minlength=len(items))
    else:
        many = _bounded(pairs, width, items, users, wanted)
    places = numpy.flatnonzero(many)
    return Counted([items[place] or "" for place in places.tolist()], many[places].tolist())


def _bounded(pairs: Any, width: int, items: Sequence[str | None], users: Sequence[str | None], wanted: Wanted) -> Any:
    """As `bound_contributions` and `bound_values` cut people."""
    import numpy

    distinct, copies = numpy.unique(pairs, return_counts=True)
    item_codes, user_codes = distinct // width, distinct % width
    others: Any = []
    if wanted.kind == "numbers":
        # What isn't a number doesn't count towards a person's limit.
        numeric = _at(item_codes, _numeric(items))
        others = numpy.unique(item_codes[~numeric])
        item_codes, user_codes, copies = item_codes[numeric], user_codes[numeric], copies[numeric]
    order = numpy.argsort(user_codes, kind="stable")
    item_codes, user_codes, copies = item_codes[order], user_codes[order], copies[order]
    kept = _smallest(
        user_codes,
        copies if wanted.kind == "numbers" else None,
        wanted.items_per_user or 1,
        before=lambda person: wanted.key + _measured(users[person]),
        name=lambda row: _bytes(items[item_codes[row]]),
    )
    many = numpy.bincount(item_codes, weights=kept, minlength=len(items)).astype("int64")
    many[others] = 1  # they stay in the list, where the engine counts and leaves them out
    return many


def _in_groups(read: Callable[[str], Column], made: Column, user: str, counted: Any, wanted: Wanted, asked: WantedGroups) -> Counted:
    """As `bound_groups` cuts people."""
    import numpy

    (item_codes, items), (user_codes, users) = made, read(user)
    group_codes, groups = _groups(read, asked.by)
    listed = None if asked.listed is None else set(asked.listed)
    counted = counted & _at(group_codes, numpy.asarray([bool(each) and (listed is None or each in listed) for each in groups] + [False], bool))
    others: int | None = None
    if wanted.is_of_numbers:
        numeric = _at(item_codes, _numeric(items))
        others = len(numpy.unique(item_codes[counted & ~numeric]))
        counted &= numeric
    width = max(len(groups), 1)
    # A person in a group, in the order of people.
    pairs, of_row = numpy.unique(user_codes[counted].astype("int64") * width + group_codes[counted], return_inverse=True)
    people, places = pairs // width, pairs % width
    inside = _smallest(
        people,
        None,
        asked.per_user,
        before=lambda person: asked.key + _measured(users[person]) + b"g",
        name=lambda pair: _bytes(groups[places[pair]]),
    ).astype(bool)
    if asked.only is not None:
        only = set(asked.only)
        inside &= _at(places, numpy.asarray([each in only for each in groups] + [False], bool))
    if wanted.kind == "groups":
        many = numpy.bincount(places[inside], minlength=len(groups))
        named = numpy.flatnonzero(many)
        return Counted([groups[place] or "" for place in named.tolist()], many[named].tolist(), others=others)
    size = max(len(items), 1)
    triples, copies = numpy.unique(of_row.astype("int64") * size + item_codes[counted], return_counts=True)
    is_kept = inside[triples // size] if len(triples) else numpy.zeros(0, bool)
    triples, copies = triples[is_kept], copies[is_kept]
    owners, held = triples // size, triples % size
    own = copies if wanted.is_of_numbers else None
    if asked.items_per_user is None:
        kept = numpy.ones(len(owners), "int64") if own is None else own
    else:
        kept = _smallest(
            owners,
            own,
            asked.items_per_user,
            before=lambda pair: asked.key + _measured(users[people[pair]]) + b"i" + _measured(groups[places[pair]]),
            name=lambda row: _bytes(items[held[row]]),
        )
    cells, of_cell = numpy.unique(places[owners] * size + held, return_inverse=True)
    many = numpy.bincount(of_cell, weights=kept, minlength=len(cells)).astype("int64")
    cells, many = cells[many > 0], many[many > 0]
    found, sizes = numpy.unique(cells // size, return_counts=True)
    names = [items[place] or "" for place in (cells % size).tolist()]
    return Counted(names, many.tolist(), groups=[groups[place] or "" for place in found.tolist()], sizes=sizes.tolist(), others=others)


def _groups(read: Callable[[str], Column], by: Sequence[str]) -> Column:
    """The group of each row as one text: of two columns the first one has its length in bytes before it."""
    import numpy

    first_codes, first = read(by[0])
    if len(by) == 1:
        return first_codes, first
    last_codes, last = read(by[1])
    is_there = _at(first_codes, _usable(first)) & _at(last_codes, _usable(last))
    width = max(len(last), 1)
    joint, codes = numpy.unique(
        numpy.where(is_there, first_codes.astype("int64") * width + last_codes, -1), return_inverse=True
    )
    texts = [None if each < 0 else (_measured(first[each // width]) + _bytes(last[each % width])).decode() for each in joint.tolist()]
    return codes, texts


def _smallest(
    owners: Any, copies: Any | None, most: int, *, before: Callable[[int], bytes], name: Callable[[int], bytes]
) -> Any:
    """How many of its rows each owner keeps, by row: all, or those with the smallest hashes of what is before, of the number of
    the copy where there are copies, and of the name. The rows of an owner follow one another."""
    import numpy

    times = numpy.ones(len(owners), "int64") if copies is None else copies.astype("int64")
    if len(owners) == 0:
        return times
    starts = numpy.flatnonzero(numpy.r_[True, owners[1:] != owners[:-1]])
    ends = numpy.r_[starts[1:], len(owners)]
    totals = numpy.add.reduceat(times, starts)
    kept = times.copy()
    for place in numpy.flatnonzero(totals > most).tolist():
        start, end = int(starts[place]), int(ends[place])
        prefix = before(int(owners[start]))
        hashed: list[tuple[bytes, bytes, int, int]] = []
        for row in range(start, end):
            text = name(row)
            for copy in range(1, int(times[row]) + 1):
                number = b"" if copies is None else b"%d:" % copy
                hashed.append((hashlib.sha256(prefix + number + text).digest(), text, copy, row))
        hashed.sort()
        kept[start:end] = 0
        for _, _, _, row in hashed[:most]:
            kept[row] += 1
    return kept


def _fitting(condition: Mapping[str, Any], read: Callable[[str], Column]) -> Any:
    """Which rows fit. The library decides about each different text of a column."""
    import numpy

    kind = condition["kind"]
    if kind in ("and", "or"):
        parts = [_fitting(part, read) for part in condition["parts"]]
        return functools.reduce(numpy.logical_and if kind == "and" else numpy.logical_or, parts)
    if kind == "not":
        return ~_fitting(condition["part"], read)
    codes, texts = read(condition["operand"]["column"])
    return _at(codes, numpy.asarray(_of_texts("fitting", condition, [*texts, None]), bool))


def _in_panel(users: Sequence[str | None], panel: Mapping[str, Any]) -> Any:
    import numpy

    def is_in(person: str | None) -> bool:
        if not person:
            return False
        text = hashlib.sha256(panel["key"].encode() + _measured(person)).hexdigest()
        return any(text >= low and (high is None or text < high) for low, high in panel["hashes"])

    return numpy.asarray([*map(is_in, users), False], bool)


def _at(codes: Any, flags: Any) -> Any:
    """The flag of each row; the last one is that of missing values."""
    return flags[codes]


def _usable(texts: Sequence[str | None]) -> Any:
    """Neither missing nor empty."""
    import numpy

    return numpy.asarray([*map(bool, texts), False], bool)


def _numeric(texts: Sequence[str | None]) -> Any:
    import numpy

    number = re.compile(NUMBER)
    return numpy.asarray([*(text is not None and number.fullmatch(text) is not None for text in texts), False], bool)


def _bytes(text: str | None) -> bytes:
    return (text or "").encode()


def _measured(text: str | None) -> bytes:
    """With its length in bytes before it."""
    encoded = _bytes(text)
    return b"%d:" % len(encoded) + encoded


def _unique(pairs: Any) -> Any:
    try:
        import pandas
    except ImportError:
        import numpy

        return numpy.unique(pairs)
    return pandas.unique(pairs)  # by a table of hashes, without sorting

"""Groups, conditions on rows, computed items, and periods: every frame counts as the library does, and releases are those of the command line."""

from __future__ import annotations

import csv
import datetime
import hashlib
import random
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import needs

import winnow_dp as winnow
from winnow_dp._counting import Wanted, WantedGroups
from winnow_dp._frames import rows_of

KEY = hashlib.sha256(b"key").digest()
COLUMNS = ["user", "area", "country", "month"]
Row = tuple[str | None, str | None, str | None, str | None]


def some_rows() -> list[Row]:
    """People in many groups, under names that could be mixed up; rows that lack something; rows that come twice."""
    generator = random.Random(5)
    people = ["u", "U", "u ", "1", "11", "1:", "\u65e5\u672c", "\u00e9", "e\u0301", *(f"p{each}" for each in range(20))]
    areas = ["a", "A", "7", "07", "-1.5", "1e3", "\u00df", "ss", " x", "back\\slash", "\U0001f600", "17:DEx"]
    countries = ["DE", "de", "D", "\u00e9", "1:DE", "it's", "\ufb00"]
    rows: list[Row] = [
        (generator.choice(people), generator.choice(areas), generator.choice(countries), generator.choice(["2026-10", "1", "10"]))
        for _ in range(900)
    ]
    whole: Row = ("lost", "a", "DE", "1")
    return rows + [(*whole[:place], missing, *whole[place + 1 :]) for place in range(4) for missing in ("", None)]  # type: ignore[list-item]


ROWS = some_rows()


def arrow(rows: list[Row]) -> Any:
    pyarrow = needs("pyarrow")
    return pyarrow.table({name: pyarrow.array(part, pyarrow.string()) for name, part in zip(COLUMNS, zip(*rows, strict=True), strict=True)})


def data_set(rows: list[Row]) -> Any:
    needs("pyarrow")
    import pyarrow.dataset

    return pyarrow.dataset.dataset(arrow(rows))


FRAMES: dict[str, Callable[[list[Row]], Any]] = {
    "pandas": lambda rows: needs("pandas").DataFrame(rows, columns=COLUMNS),
    "Polars": lambda rows: needs("polars").DataFrame(rows, schema=dict.fromkeys(COLUMNS, str), orient="row"),
    "Polars lazy": lambda rows: FRAMES["Polars"](rows).lazy(),
    "Arrow": arrow,
    "Arrow data set": data_set,
    "DuckDB": lambda rows: needs("duckdb").from_arrow(arrow(rows)),
}


def group_text(row: Row, by: list[str]) -> str:
    texts = [row[COLUMNS.index(column)] or "" for column in by]
    return "" if "" in texts else "".join([f"{len(text.encode())}:{text}" for text in texts[:-1]] + texts[-1:])


def counted(frame: Any, wanted: Wanted) -> dict[str, dict[str, int]]:
    found = rows_of(frame).count("area", "user", wanted)
    assert found.groups is not None and found.sizes is not None and len(set(found.groups)) == len(found.groups)
    pairs = iter(zip(found.items, found.users, strict=True))
    return {group: {item: many for item, many in (next(pairs) for _ in range(size)) if many > 0} for group, size in zip(found.groups, found.sizes, strict=True)}


REQUESTS: list[WantedGroups] = [
    WantedGroups(by=["country"], per_user=2, key=KEY),
    WantedGroups(by=["country"], per_user=1, items_per_user=2, key=KEY, listed=["\u00e9", "XX", "DE", "1:DE", "de"]),
    WantedGroups(by=["month", "country"], per_user=4, items_per_user=1, key=KEY),
    WantedGroups(by=["country", "month"], per_user=2, key=KEY, listed=["2:DE1", "2:de2026-10", "4:1:DE1", "1:D10"]),
    WantedGroups(by=["country"], per_user=100, key=KEY),
]
REQUEST = pytest.mark.parametrize("asked", REQUESTS, ids=lambda asked: f"{'-'.join(asked.by)}-{asked.per_user}-{asked.items_per_user}")


def truth(asked: WantedGroups) -> dict[str, dict[str, int]]:
    rows = [(row[0] or None, group_text(row, list(asked.by)) or None, row[1] or None) for row in ROWS]
    options = {"max_groups_per_user": asked.per_user, "max_items_per_user": asked.items_per_user, "key": asked.key}
    counts = winnow.bound_groups(rows, groups=None if asked.listed is None else list(asked.listed), **options)
    return {group: dict(items) for group, items in counts.items() if items}


@pytest.mark.parametrize("kind", FRAMES)
@REQUEST
def test_every_frame_counts_groups_as_the_library_does(kind: str, asked: WantedGroups) -> None:
    wanted = Wanted("largest", rows=1000, groups=asked, also=asked.by)
    assert counted(FRAMES[kind](ROWS), wanted) == truth(asked) != {}


@REQUEST
def test_people_are_counted_in_the_groups_that_they_keep(asked: WantedGroups) -> None:
    found = rows_of(FRAMES["pandas"](ROWS)).count("area", "user", Wanted("groups", groups=asked, also=asked.by))
    everyone: Counter[str] = Counter()
    groups: dict[str, set[str]] = {}
    for row in ROWS:
        group = group_text(row, list(asked.by))
        if row[0] and row[1] and group and (asked.listed is None or group in asked.listed):
            groups.setdefault(row[0], set()).add(group)
    for person, theirs in groups.items():
        before = asked.key + f"{len(person.encode())}:{person}g".encode()
        everyone.update(sorted(theirs, key=lambda group, before=before: hashlib.sha256(before + group.encode()).digest())[: asked.per_user])  # type: ignore[misc]
    assert dict(zip(found.items, found.users, strict=True)) == dict(everyone)


def test_groups_that_are_not_named_are_left_out_after_people_are_cut() -> None:
    some = WantedGroups(by=["country"], per_user=2, key=KEY, only=["DE", "\ufb00"])
    every = truth(REQUESTS[0])
    assert counted(FRAMES["pandas"](ROWS), Wanted("largest", rows=1000, groups=some, also=["country"])) == {name: every[name] for name in ("DE", "\ufb00")}


def test_values_in_groups_count_as_often_as_their_person_has_them() -> None:
    asked = WantedGroups(by=["country"], per_user=2, items_per_user=3, key=KEY)
    wanted = Wanted("numbers", groups=asked, also=["country"])
    copies: Counter[Any] = Counter()
    rows = []
    for user, area, country, _ in ROWS:
        if user and country and area in ("7", "07", "-1.5", "1e3"):
            copies[user, area, country] += 1
            rows.append((user, country, f"{copies[user, area, country]}:{area}"))
    cut = winnow.bound_groups(rows, max_groups_per_user=2, max_items_per_user=3, key=KEY)
    expected: dict[str, dict[str, int]] = {}
    for group, items in cut.items():
        for text, many in items.items():
            own = expected.setdefault(group, {})
            own[text.split(":", 1)[1]] = own.get(text.split(":", 1)[1], 0) + many
    assert counted(FRAMES["pandas"](ROWS), wanted) == expected
    assert rows_of(FRAMES["pandas"](ROWS)).count("area", "user", wanted).others == 8


CONDITIONS: dict[str, Callable[[Row], bool]] = {
    "country = 'DE'": lambda row: row[2] == "DE",
    "country <> 'DE'": lambda row: bool(row[2]) and row[2] != "DE",
    "lower(country) in ('de', 'it''s') and month like '2026-%'": lambda row: (row[2] or "").lower() in ("de", "it's") and (row[3] or "").startswith("2026-"),
    "not (country = 'DE' or month is null)": lambda row: not (row[2] == "DE" or not row[3]),
    "decimal(area) >= 7": lambda row: row[1] in ("7", "07"),
    "decimal(area) < 0 or country >= '\u00e9'": lambda row: row[1] == "-1.5" or (row[2] or "").encode() >= "\u00e9".encode(),
}


def condition(text: str) -> Any:
    return sent_for(item="area", where=text)


def sent_for(**options: Any) -> Any:
    """What the engine wants to have counted."""
    sent: list[Any] = []

    class Rows:
        format = "none"

        def check(self, *_: str) -> None: ...

        def fingerprint(self, *_: str) -> None: ...

        def count(self, _item: str, _user: str, wanted: Wanted) -> Any:
            sent.append(wanted)
            raise StopIteration

    from winnow_dp import _session

    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch, pytest.raises(StopIteration):
        patch.setattr(_session, "rows_of", lambda _: Rows())
        winnow.Session(Path(place, "condition.ledger")).top(None, user="user", k=1, epsilon=1, candidates=["a", "b"], **options)
    return sent[0]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore")


@pytest.mark.parametrize("text", CONDITIONS)
def test_every_frame_counts_the_rows_that_fit(text: str) -> None:
    wanted = condition(text)
    fitting = [row for row in ROWS if CONDITIONS[text](row)]
    expected = dict(Counter(area for _, area in {(row[0], row[1]) for row in fitting if row[0] and row[1]}))
    assert expected
    for kind, frame in FRAMES.items():
        found = rows_of(frame(ROWS)).count("area", "user", wanted)
        assert {item: many for item, many in zip(found.items, found.users, strict=True) if many} == expected, kind
        assert found.rows == len(fitting), kind


#: People with baskets, and texts that engines could read in different ways.
BASKETS: list[Row] = [
    *(("u1", " Alster ", "2026-10-01", "x"), ("u1", "ALSTER", "2026-10-31 23:59", "y"), ("u2", "alster", "2026-02-30", "alster")),
    *(("u3", "\u0130\u212a", "2026-10-07T00:00", "\u00df"), ("u4", "\u00a0Alster", "2026-10-1", None), ("u5", "\t\n", "", "x")),
    *(("u6", None, "2026-10-01x", "x"), ("u6", "x", "2025-12-31", ""), ("u7", "it's", "2024-02-29", "back\\slash"), (None, "x", "2024-02-29", "x")),
    *(("u8", "a\u0000b", "\uff12026-10-01", "\U0001f600"), ("u9", "X", "10000-01-01", "alster"), ("u9", "x ", "2023-02-29", "X")),
]
ITEMS: dict[str, tuple[Any, dict[str, str] | None]] = {
    "one function": ("lower(area)", None),
    "functions within each other": ("trim(lower(area))", None),
    "months": ("date_trunc('month', trim(country))", None),
    "years": ("date_trunc('year', country)", None),
    "a basket": (["area", "month"], None),
    "a computed basket": (["lower(trim(area))", "month", "date_trunc('day', country)"], None),
    "a map": ("month", {"x": "one", "y": "one", "\U0001f600": "it's", "nowhere": "x"}),
    "a mapped basket": (["trim(area)", "lower(month)"], {"x": "1", "alster": "2", "Alster": "2", "ALSTER": "1", "back\\slash": "\u00df"}),
}


def items_of(row: Row, typed: Any, renamed: dict[str, str] | None) -> set[str]:
    """By the definition, without the library."""
    cells = {"area": row[1], "country": row[2], "month": row[3]}
    items: set[str] = set()
    for text in [typed] if isinstance(typed, str) else typed:
        column = next(name for name in cells if name in text.replace("'month'", ""))
        item = cells[column] or ""
        for function in re.findall(r"lower|trim", text.replace("date_trunc", ""))[::-1]:
            item = item.strip(" \t\n\v\f\r") if function == "trim" else "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in item)
        if "date_trunc" in text:
            item = first_day(item, re.findall("'(.*)'", text)[0])
        items.add((item if renamed is None else renamed.get(item)) or "")
    return items - {""}


def first_day(text: str, unit: str) -> str:
    found = re.match(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?![^ T])", text)
    try:
        day = datetime.date(*map(int, found.groups())) if found else None
    except ValueError:
        day = None
    if day is None:
        return ""
    return {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[unit].isoformat()


def people_of_items(kind: str, keep: Callable[[Row], bool] = lambda _: True) -> dict[str, int]:
    typed, renamed = ITEMS[kind]
    return dict(Counter(item for _, item in {(row[0], item) for row in BASKETS if row[0] and keep(row) for item in items_of(row, typed, renamed)}))


def wanted_items(kind: str, **options: Any) -> Wanted:
    typed, renamed = ITEMS[kind]
    asked: Wanted = sent_for(item=typed, map=renamed, **options)
    return asked


@pytest.mark.parametrize("kind", ITEMS)
def test_every_frame_computes_the_items_of_a_row(kind: str) -> None:
    wanted, expected = wanted_items(kind), people_of_items(kind)
    assert len(expected) >= 2
    for frame_kind, frame in FRAMES.items():
        found = rows_of(frame(BASKETS)).count("a name", "user", wanted)
        assert {item: many for item, many in zip(found.items, found.users, strict=True) if many} == expected, frame_kind
    parts = 1 if isinstance(ITEMS[kind][0], str) else len(ITEMS[kind][0])
    assert (found.rows, found.skipped) == (parts * len(BASKETS), parts * len(BASKETS) - sum_of_items(kind))


def sum_of_items(kind: str) -> int:
    typed, renamed = ITEMS[kind]
    texts = [typed] if isinstance(typed, str) else typed
    return sum(bool(items_of(row, text, renamed)) for row in BASKETS if row[0] for text in texts)


def test_computed_items_go_with_conditions_limits_and_groups() -> None:
    limited = replace(wanted_items("a computed basket", where="month <> 'y'"), items_per_user=2, key=KEY)
    typed, renamed = ITEMS["a computed basket"]
    pairs = [(row[0], item) for row in BASKETS if row[0] and row[3] and row[3] != "y" for item in items_of(row, typed, renamed)]
    bounded = {item: many for item, many in winnow.bound_contributions(pairs, max_items_per_user=2, key=KEY).items() if many}
    asked = WantedGroups(by=["month"], per_user=1, items_per_user=1, key=KEY)
    grouped = replace(wanted_items("functions within each other"), groups=asked, kind="largest", rows=100)
    grouped = replace(grouped, also=["month", *grouped.also])
    rows = [(row[0], row[3], item) for row in BASKETS if row[0] and row[3] for item in items_of(row, *ITEMS["functions within each other"])]
    in_groups = {group: items for group, items in winnow.bound_groups(rows, max_groups_per_user=1, max_items_per_user=1, key=KEY).items() if items}
    for kind, frame in FRAMES.items():
        found = rows_of(frame(BASKETS)).count("a name", "user", limited)
        assert {item: many for item, many in zip(found.items, found.users, strict=True) if many} == bounded != {}, kind
        assert counted(frame(BASKETS), grouped) == in_groups != {}, kind


def test_the_command_line_computes_the_same_items() -> None:
    from cli import winnow as command

    rows = [row for row in BASKETS if "\u0000" not in (row[1] or "")]
    with open("baskets.csv", "w", newline="", encoding="utf8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([COLUMNS, *([part or "" for part in row] for row in rows)])
    with open("map.csv", "w", newline="", encoding="utf8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("item", "name"), *(ITEMS["a mapped basket"][1] or {}).items()])
    names = ["1", "2", "\u00df"]
    Path("names.txt").write_text("\n".join(names), encoding="utf8")
    words = ["-k", "3", "--user", "user", "--epsilon", "2000", "--domain", "names.txt", "--counts", "--json", "--yes", "--multiline"]
    items = ["--item", "trim(area)", "--item", "lower(month)", "--map", "map.csv"]
    theirs = command("top", "baskets.csv", *words, *items, "--dataset", "baskets", "--ledger", "baskets.ledger")
    typed, renamed = ITEMS["a mapped basket"]
    session = winnow.Session("baskets.ledger")
    asked: dict[str, Any] = {"item": typed, "map": renamed, "user": "user", "k": 3, "epsilon": 2000, "candidates": names, "counts": True}
    for kind, frame in FRAMES.items():
        ours = session.top(frame(rows), **asked, yes=True).document
        assert ours["question"] == theirs["question"] and ours["source"]["item"] == theirs["source"]["item"], kind
        assert answer_of(ours) == answer_of(theirs) == people_of_items("a mapped basket"), kind
    assert session.verify(theirs) == []
    assert session.price("top", **{**asked, "epsilon": 1}).question["map"] == theirs["question"]["map"]


def answer_of(document: Any) -> dict[str, int]:
    return {each["item"]: round(Fraction(each["count"])) for each in document["answer"]["winners"]}


def test_what_cannot_be_an_item_is_refused_before_anything_is_charged() -> None:
    session = winnow.Session("baskets.ledger")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"item": "lower(user)"}, "item and user must be different columns"),
        ({"item": ["area", "user"]}, "item and user must be different columns"),
        ({"item": ["area", "area"]}, "items must be different items"),
        ({"item": []}, "item must be a column"),
        ({"item": "lower(nowhere)"}, 'no column "nowhere"'),
        ({"item": "upper(area)"}, 'no column "upper(area)"'),
        ({"item": "area", "map": {}}, "map must be 1 to 100,000 pairs"),
        ({"item": "area", "map": {"a": None}}, "map must be names for names"),
        ({"item": "area", "by": "area", "groups": ["a"], "max_groups_per_user": 1}, "by must be another column than item and user"),
    ]
    for frame in (FRAMES["pandas"](BASKETS), FRAMES["Polars"](BASKETS)):
        for options, says in wrong:
            with pytest.raises(winnow.WinnowError) as caught:
                session.top(frame, user="user", k=1, epsilon=1, candidates=["a", "b"], reserve=True, **options)
            assert says in str(caught.value), options
    assert session.account() is None or session.account().releases == 0  # type: ignore[union-attr]


def test_a_column_with_the_name_of_a_function_is_in_double_quotes() -> None:
    rows = needs("pandas").DataFrame({"user": range(50), "lower(area)": ["A"] * 50, "area": ["B"] * 50})
    session = winnow.Session("names.ledger")
    asked: dict[str, Any] = {"user": "user", "k": 1, "epsilon": 5, "candidates": ["A", "b"]}
    assert session.top(rows, item='"lower(area)"', **asked).names == ["A"]
    assert session.top(rows, item="lower(area)", **asked).names == ["b"]


def test_typed_columns_are_compared_by_their_texts() -> None:
    pandas, pyarrow = needs("pandas"), needs("pyarrow")
    days = [datetime.date(2026, 10, 1), datetime.date(2026, 9, 30), None]
    columns = {"user": [1, 2, 3], "area": ["a", "a", "a"], "day": days, "size": [1.5, 2.0, None]}
    table = pyarrow.table(columns)
    frames = [table, pandas.DataFrame(columns), needs("polars").DataFrame(columns), needs("duckdb").from_arrow(table)]
    for text, users in {"date(day) >= '2026-10-01'": 1, "decimal(size) = 2": 1, "decimal(size) > 1": 2, "day is null": 1}.items():
        wanted = condition(text)
        for frame in frames:
            assert rows_of(frame).count("area", "user", wanted).users == [users], (text, type(frame))


def test_values_with_one_text_are_one_item_and_one_person() -> None:
    pandas, polars, pyarrow, duckdb = needs("pandas"), needs("polars"), needs("pyarrow"), needs("duckdb")
    columns = {"user": [1.0, 2.0, 0.0, -0.0], "area": [0.0, -0.0, 17.0, 17.0]}
    table = pyarrow.table(columns)
    for frame in (pandas.DataFrame(columns), table, polars.DataFrame(columns), polars.DataFrame(columns).lazy(), duckdb.from_arrow(table)):
        found = rows_of(frame).count("area", "user", Wanted("listed"))
        assert dict(zip(found.items, found.users, strict=True)) == {"0": 2, "17": 1}, type(frame)
        assert len(found.items) == 2, type(frame)


def visits(people: int = 600) -> list[Row]:
    rows: list[Row] = []
    for person in range(people):
        country = ["DE", "FR", "IT"][person % 3]
        for place, area in enumerate(["Alster", "Bille", "Elbe", "Seine", "Po"]):
            if person % (place + 2) == 0:
                rows.append((f"u{person}", area, country, "2026-10" if person % 2 else "2026-11"))
    return rows


AREAS = ["Alster", "Bille", "Elbe", "Seine", "Po", "Oste"]
ASKED: dict[str, Any] = {"item": "area", "user": "user", "k": 2, "candidates": AREAS}


def test_a_release_in_groups_is_one_answer_for_each() -> None:
    session = winnow.Session("visits.ledger")
    frame = FRAMES["pandas"](visits())
    options: dict[str, Any] = {"by": "country", "groups": ["DE", "FR", "XX"], "max_groups_per_user": 1}
    release = session.top(frame, **ASKED, epsilon=4, **options)
    assert [group.name for group in release.groups] == [("DE",), ("FR",), ("XX",)]
    assert all(group.released and len(group.names) == 2 for group in release.groups)
    assert release.loss == winnow.pure(4) and release.items == []
    assert session.verify(release) == []
    page = release._repr_html_()
    assert page.count("<table>") == 3 and "<p>DE</p>" in page
    assert session.price("top", **ASKED, epsilon=4, **options).loss == winnow.pure(4)
    parts = session.price("top", **ASKED, epsilon=4, **options | {"max_groups_per_user": 2}, group_budgets={"DE": 3}).question
    assert parts["groups"]["budgets"] == [{"group": ["DE"], "part": "3"}]


def test_groups_without_a_list_are_selected() -> None:
    session = winnow.Session("visits.ledger")
    frame = FRAMES["Polars lazy"](visits())
    asked = {"by": ["country", "month"], "max_groups_per_user": 1, "delta": "1e-6", "epsilon": 40, "yes": True}
    release = session.top(frame, **ASKED, **asked)
    assert {group.name for group in release.groups} == {(country, month) for country in ("DE", "FR", "IT") for month in ("2026-10", "2026-11")}
    median = session.quantile(
        *(FRAMES["pandas"]([(row[0], str(place % 90), row[2], row[3]) for place, row in enumerate(visits())]),),
        **{"column": "area", "user": "user", "quantiles": [0.5], "range": (0, 100), "max_values_per_user": 1},
        **asked | {"by": "country"},
    )
    assert [group.name for group in median.groups] == [("DE",), ("FR",), ("IT",)]
    assert all(20 < Fraction(group.names[0]) < 70 for group in median.groups)
    frequencies = session.frequencies(frame, item="area", user="user", **asked | {"by": "country"})
    assert all(group.frequencies for group in frequencies.groups)
    assert session.verify() == []


def test_what_goes_with_groups_and_conditions_is_checked_before_anything_is_charged() -> None:
    session = winnow.Session("visits.ledger")
    frame = FRAMES["pandas"](visits())
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"by": "country", "groups": ["DE"]}, "max_groups_per_user must say"),
        ({"groups": ["DE"]}, "groups needs by"),
        ({"by": "country", "max_groups_per_user": 1}, "delta must be given"),
        ({"types": {"day": "date"}}, "types needs where"),
        ({"where": "country is nothing"}, "where must be"),
        ({"time": "month"}, "time and period go together"),
        ({"where": "nowhere = 'x'"}, 'no column "nowhere"'),
        ({"by": "nowhere", "groups": ["DE"], "max_groups_per_user": 1}, 'no column "nowhere"'),
        ({"by": "country", "groups": [""], "max_groups_per_user": 1}, "groups must be names"),
    ]
    for options, says in wrong:
        with pytest.raises(winnow.WinnowError) as caught:
            session.top(frame, **ASKED, epsilon=1, reserve=True, **options)
        assert says in str(caught.value), options
    assert session.account() is None or session.account().releases == 0  # type: ignore[union-attr]


def test_a_set_of_winners_has_no_order() -> None:
    release = winnow.Session("visits.ledger").top(FRAMES["pandas"](visits()), **ASKED, epsilon=8, set=True, outsider_share="1/4")
    assert set(release.names) == {"Alster", "Bille"}
    assert release.document["question"]["outsiderShare"] == "0.25" and release.document["answer"]["ordered"] is False


def test_the_command_line_asks_and_counts_the_same() -> None:
    from cli import winnow as command

    with open("visits.csv", "w", newline="", encoding="utf8") as file:
        csv.writer(file).writerows([COLUMNS, *visits()])
    Path("areas.txt").write_text("\n".join(AREAS))
    Path("countries.txt").write_text("DE\nFR\nIT\n")
    where = "month = '2026-10' and country in ('DE', 'FR')"
    words = ["--item", "area", "--user", "user", "-k", "2", "--epsilon", "2000", "--domain", "areas.txt", "--counts", "--json", "--yes"]
    groups = ["--by", "country", "--groups", "countries.txt", "--max-groups-per-user", "1"]
    theirs = command("top", "visits.csv", *words, *groups, "--where", where, "--dataset", "visits", "--ledger", "visits.ledger")
    options: dict[str, Any] = {"by": "country", "groups": ["DE", "FR", "IT"], "max_groups_per_user": 1, "where": where}
    session = winnow.Session("visits.ledger")
    for kind, frame in FRAMES.items():
        ours = session.top(frame(visits()), **ASKED, epsilon=2000, counts=True, **options, yes=True).document
        assert ours["question"] == theirs["question"], kind
        assert counts_in(ours) == counts_in(theirs), kind
    assert {"DE": {"Bille": 100, "Seine": 20}, "FR": {"Seine": 20}}.items() <= counts_in(theirs).items()
    assert session.verify(theirs) == []


def counts_in(document: Any) -> dict[str, dict[str, int]]:
    """Without those of no one, among whom chance chooses."""
    return {
        group["name"][0]: {each["item"]: round(Fraction(each["count"])) for each in group["answer"]["winners"] if Fraction(each["count"]) > 0}
        for group in document["answer"]["groups"]
    }


def test_a_budget_with_periods_counts_each_week_of_a_person() -> None:
    session = winnow.Session("weeks.ledger")
    pandas = needs("pandas")
    rows = pandas.DataFrame([(f"u{person}", "Alster" if person % 3 else "Bille", f"2026-11-{day:02}") for person in range(90) for day in (16, 23)], columns=["user", "area", "day"])
    asked: dict[str, Any] = {"item": "area", "user": "user", "k": 1, "epsilon": 8, "candidates": ["Alster", "Bille", "Elbe"]}
    with pytest.raises(winnow.WinnowError, match="needs period, horizon and promise"):
        session.set_budget(winnow.pure(9), period="week")
    assert session.set_budget(winnow.pure(9), period="week", horizon=52, from_="2026-11-18", promise="person-period") is True
    with pytest.raises(winnow.WinnowError, match="must be about one"):
        session.top(rows, **asked)
    releases = [session.top(rows, **asked, time="day", period=period) for period in ("2026-W47", "2026-11-24")]
    assert [release.document["question"]["period"]["name"] for release in releases] == ["2026-W47", "2026-W48"]
    assert all(release.names == ["Alster"] for release in releases)
    with pytest.raises(winnow.WinnowError) as caught:
        session.top(rows, **asked, time="day", period="2026-W47")
    assert caught.value.code == "over-budget"
    assert session.verify() == []


def test_a_person_counts_in_some_periods_only_by_a_secret_of_the_ledger() -> None:
    from winnow_dp._counting import _in_panel

    session = winnow.Session("weeks.ledger")
    promise: dict[str, Any] = {"period": "week", "horizon": 4, "from_": "2026-11-16", "promise": "person", "max_periods_per_user": 1}
    session.set_budget(winnow.pure(5000), yes=True, **promise)
    people = [f"u{person}" for person in range(300)]
    days = ["2026-11-16", "2026-11-23", "2026-11-30", "2026-12-07"]
    rows = needs("pandas").DataFrame([(person, "Alster", day) for person in people for day in days], columns=["user", "area", "day"])
    asked: dict[str, Any] = {"item": "area", "user": "user", "k": 1, "epsilon": 1000, "counts": True, "candidates": ["Alster", "Bille"]}
    counts = [session.top(rows, **asked, time="day", period=day, yes=True).items[0].count or 0 for day in days]
    assert sum(counts) == 300 and all(40 < each < 120 for each in counts)
    halves = {"key": "0" * 64, "hashes": [["0" * 64, "8" + "0" * 63]]}, {"key": "0" * 64, "hashes": [["8" + "0" * 63, None]]}
    assert (_in_panel(people, halves[0]) ^ _in_panel(people, halves[1])).tolist() == [True] * 300 + [False]

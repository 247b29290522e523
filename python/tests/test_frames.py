"""Rows of every kind of frame give the histogram that the command line has of the same rows, whatever someone writes in theirs."""

from __future__ import annotations

import csv
import datetime
import hashlib
import os
import random
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import needs

import winnow_dp as winnow
from winnow_dp._frames import Wanted, rows_of
from winnow_dp._text import text_of

EVERYTHING = Wanted("listed", items=None)

#: People and areas, with missing and empty ones, odd characters, and rows that come twice.
VISITS: list[tuple[str | None, str | None]] = [
    ("u1", "Alster"),
    ("u1", "Alster"),
    ("u1", "Bille"),
    ("u2", "Alster"),
    ("u3", "alster"),
    ("u3", " Alster"),
    (None, "Alster"),
    ("u4", None),
    ("", "Alster"),
    ("u5", ""),
    ("u6", 'caf\u00e9 "\U0001f600"'),
    ("u7", "\ufeffAlster"),
    ("u7", "NaN"),
    ("u8", "NULL"),
]


def truth(rows: list[tuple[Any, Any]]) -> dict[str, int]:
    """By the definition: different people of each item, without rows that lack one."""
    pairs = {(text_of(user), text_of(item)) for user, item in rows}
    return dict(Counter(item for user, item in pairs if user and item))


def pandas_frame(rows: list[tuple[Any, Any]], dtype: Any = object) -> Any:
    pandas = needs("pandas")
    users, areas = zip(*rows, strict=True) if rows else ((), ())
    return pandas.DataFrame({"user": pandas.Series(users, dtype=dtype), "area": pandas.Series(areas, dtype=dtype)})


def arrow_table(rows: list[tuple[Any, Any]]) -> Any:
    pyarrow = needs("pyarrow")
    users, areas = zip(*rows, strict=True) if rows else ((), ())
    return pyarrow.table({"user": pyarrow.array(users, pyarrow.string()), "area": pyarrow.array(areas, pyarrow.string())})


def arrow_chunks(rows: list[tuple[Any, Any]]) -> Any:
    pyarrow = needs("pyarrow")
    return pyarrow.concat_tables([arrow_table(rows[:3]), arrow_table(rows[3:])])


def arrow_dictionary(rows: list[tuple[Any, Any]]) -> Any:
    table = arrow_chunks(rows)
    return table.set_column(1, "area", table.column("area").dictionary_encode())


def arrow_batch(rows: list[tuple[Any, Any]]) -> Any:
    return arrow_table(rows).to_batches()[0]


def arrow_dataset(rows: list[tuple[Any, Any]]) -> Any:
    needs("pyarrow")
    import pyarrow.dataset

    return pyarrow.dataset.dataset(arrow_table(rows))


def polars_frame(rows: list[tuple[Any, Any]]) -> Any:
    return needs("polars").DataFrame(rows, schema={"user": str, "area": str}, orient="row")


def polars_categories(rows: list[tuple[Any, Any]]) -> Any:
    polars = needs("polars")
    return polars_frame(rows).with_columns(polars.col("area").cast(polars.Categorical))


def duckdb_relation(rows: list[tuple[Any, Any]]) -> Any:
    return needs("duckdb").from_arrow(arrow_table(rows))


FRAMES: dict[str, Callable[[list[tuple[Any, Any]]], Any]] = {
    "pandas objects": pandas_frame,
    "pandas strings": lambda rows: pandas_frame(rows, "string"),
    "pandas categories": lambda rows: pandas_frame(rows, "category"),
    "Polars": polars_frame,
    "Polars lazy": lambda rows: polars_frame(rows).lazy(),
    "Polars categories": polars_categories,
    "Arrow": arrow_table,
    "Arrow in chunks": arrow_chunks,
    "Arrow dictionary": arrow_dictionary,
    "Arrow batch": arrow_batch,
    "Arrow data set": arrow_dataset,
    "DuckDB": duckdb_relation,
}


def counted(frame: Any, wanted: Wanted = EVERYTHING, item: str = "area", user: str = "user") -> dict[str, int]:
    rows = rows_of(frame)
    rows.check(item, user)
    found = rows.count(item, user, wanted)
    assert len(set(found.items)) == len(found.items)
    return {name: many for name, many in zip(found.items, found.users, strict=True) if many > 0}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_frame_counts_the_people_of_each_item(kind: str) -> None:
    assert counted(FRAMES[kind](VISITS)) == truth(VISITS)


@pytest.mark.parametrize("kind", [kind for kind in FRAMES if kind != "Arrow batch"])
def test_no_rows_are_no_items(kind: str) -> None:
    assert counted(FRAMES[kind]([])) == {}


@pytest.mark.parametrize("kind", FRAMES)
def test_the_largest_are_cut_no_closer_than_wanted(kind: str) -> None:
    rows = [(f"u{user}", f"i{item}") for item in range(20) for user in range(item)]
    found = counted(FRAMES[kind](rows), Wanted("largest", rows=5))
    assert set(found.items()) >= {(f"i{item}", item) for item in range(15, 20)}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_person_counts_for_as_many_items_as_the_library_chooses(kind: str) -> None:
    generator = random.Random(1)
    rows = [(f"u{generator.randrange(30)}", f"i{generator.randrange(40)}") for _ in range(600)]
    key = hashlib.sha256(b"key").digest()
    ours = counted(FRAMES[kind](rows), Wanted("largest", rows=100, items_per_user=3, key=key))
    assert ours == winnow.bound_contributions(rows, max_items_per_user=3, key=key)


@pytest.mark.parametrize("kind", FRAMES)
def test_a_person_keeps_as_many_values_as_the_library_chooses(kind: str) -> None:
    generator = random.Random(2)
    rows: list[tuple[Any, Any]] = [(f"u{generator.randrange(20)}", str(generator.randrange(9))) for _ in range(400)]
    key = hashlib.sha256(b"key").digest()
    words = [("u1", "many"), ("u2", "n/a"), ("u3", None)]
    ours = counted(FRAMES[kind](rows + words), Wanted("numbers", items_per_user=2, key=key))
    numbers = {name: many for name, many in ours.items() if name.isdigit()}
    assert numbers == winnow.bound_values(rows, max_values_per_user=2, key=key)
    assert {name for name in ours if not name.isdigit()} == {"many", "n/a"}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_column_that_is_not_there_is_refused_and_not_guessed(kind: str) -> None:
    with pytest.raises(winnow.WinnowError) as caught:
        counted(FRAMES[kind](VISITS), item="Area")
    assert (caught.value.code, caught.value.message) == ("unknown-column", 'The rows have no column "Area".')


HOSTILE: list[Any] = [
    17,
    "17",
    17.0,
    17.5,
    True,
    Decimal("17"),
    Decimal("NaN"),
    float("nan"),
    float("inf"),
    -0.0,
    2**70,
    b"bytes",
    b"\xff",
    "\udc80 surrogate",
    [1, 2],
    {"a": 1},
    datetime.date(2026, 1, 2),
    datetime.datetime(2026, 1, 2, 3, 4, 5),
    uuid.UUID(int=5),
    object(),
    (1, 2),
    10**5000,
    "x" * 10_000,
]


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_what_one_person_writes_changes_no_one_elses_count(place: int) -> None:
    """One added row of a mixed column changes at most the items of that row."""
    rows: list[tuple[Any, Any]] = [(f"u{user}", item) for user in range(5) for item in (17, "Alster", 18)]
    before = counted(pandas_frame(rows))
    after = counted(pandas_frame([*rows, ("attacker", HOSTILE[place])]))
    changed = {name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0)}
    assert changed <= {text_of(HOSTILE[place])}
    assert before["17"] == 5
    also = counted(pandas_frame([*rows, (HOSTILE[place], "Alster")]))
    assert {**also, "Alster": 0} == {**before, "Alster": 0}
    assert also["Alster"] - before["Alster"] in (0, 1)


def test_a_missing_number_does_not_rename_everyone_elses_items() -> None:
    pandas = needs("pandas")
    whole = pandas.DataFrame({"user": [1, 2, 3], "area": [17, 17, 18]})
    missing = pandas.DataFrame({"user": [1, 2, 3, None], "area": [17, 17, 18, None]})
    assert str(missing["area"].dtype) == "float64"
    assert counted(whole) == counted(missing) == {"17": 2, "18": 1}


def test_typed_columns_have_the_texts_of_their_values() -> None:
    pandas, polars, pyarrow = needs("pandas"), needs("polars"), needs("pyarrow")
    days = [datetime.date(2026, 1, 2), datetime.date(2026, 1, 3), None]
    times = [datetime.datetime(2026, 1, 2, 3, 4, 5), datetime.datetime(2026, 1, 2, 3, 4, 5, 6), None]
    amounts = [Decimal("1.50"), Decimal("2.00"), None]
    truths = {"day": {"2026-01-02": 1, "2026-01-03": 1}, "amount": {"1.50": 1, "2.00": 1}}
    truths["time"] = {"2026-01-02T03:04:05": 1, "2026-01-02T03:04:05.000006": 1}
    truths["flag"] = {"true": 1, "false": 1}
    columns = {"user": [1, 2, 3], "day": days, "time": times, "amount": amounts, "flag": [True, False, None]}
    table = pyarrow.table(columns)
    frames = [table, polars.DataFrame(columns), needs("duckdb").from_arrow(table), pandas.DataFrame(columns)]
    for frame in frames:
        for column, expected in truths.items():
            assert counted(frame, item=column) == expected, (type(frame), column)


def test_nanoseconds_end_nothing_and_are_left_out() -> None:
    """Each by itself: Arrow alone refuses to make a value of Python of such a time."""
    pandas, polars, pyarrow, numpy = needs("pandas"), needs("polars"), needs("pyarrow"), needs("numpy")
    times = numpy.array([1_767_323_045_000_000_000, 1_767_323_045_000_000_007, 1_767_323_045_000_001_999, -1], "M8[ns]")
    table = pyarrow.table({"user": [1, 2, 3, 4], "area": times, "hour": pyarrow.array([1001, 1002, 5001, None], pyarrow.time64("ns"))})
    frames = [table, polars.from_arrow(table), polars.from_arrow(table).lazy(), needs("duckdb").from_arrow(table), pandas.DataFrame({"user": [1, 2, 3, 4], "area": times})]
    for frame in frames:
        for wanted in (EVERYTHING, Wanted("largest", rows=9, items_per_user=5)):
            found = rows_of(frame).count("area", "user", wanted)
            expected = {"1969-12-31T23:59:59.999999": 1, "2026-01-02T03:04:05": 2, "2026-01-02T03:04:05.000001": 1}
            assert dict(zip(found.items, found.users, strict=True)) == expected and len(found.items) == 3, type(frame)
    assert counted(table, item="hour") == {"00:00:00.000001": 2, "00:00:00.000005": 1}
    assert len({rows_of(frame).fingerprint("area", "user") for frame in (table, frames[1], frames[4])}) == 1


def test_days_and_times_that_python_does_not_have_end_nothing() -> None:
    """Whoever writes one is skipped there: an error would show that someone did."""
    pandas, polars, pyarrow, duckdb = needs("pandas"), needs("polars"), needs("pyarrow"), needs("duckdb")
    columns = {
        "day": (pyarrow.array([0, 2**31 - 1, -(2**31) + 1], pyarrow.date32()), "1970-01-01"),
        "seconds": (pyarrow.array([0, 2**40, -(2**50)], pyarrow.timestamp("s")), "1970-01-01T00:00:00"),
        "micros": (pyarrow.array([0, 2**62, -(2**62)], pyarrow.timestamp("us")), "1970-01-01T00:00:00"),
        "zone": (pyarrow.array([0, 2**62, -(2**62)], pyarrow.timestamp("us", "Europe/Berlin")), "1970-01-01T01:00:00+01:00"),
    }
    for name, (values, text) in columns.items():
        table = pyarrow.table({"user": [1, 2, 3], "area": values})
        frames = {"Arrow": table, "Polars": polars.from_arrow(table), "lazy": polars.from_arrow(table).lazy()}
        frames["pandas of Arrow"] = table.to_pandas(types_mapper=pandas.ArrowDtype)
        if name != "zone":
            frames["DuckDB"] = duckdb.from_arrow(table)
        if name in ("seconds", "micros"):
            frames["pandas"] = table.to_pandas()
        for kind, frame in frames.items():
            assert counted(frame) == counted(frame, Wanted("largest", rows=9, items_per_user=5)) == {text: 1}, (name, kind)
            rows_of(frame).fingerprint("area", "user")
    endless = duckdb.sql("SELECT i AS user, x AS area FROM (VALUES (1, TIMESTAMP 'infinity'), (2, TIMESTAMP '-infinity'), (3, TIMESTAMP '2020-01-01')) v(i, x)")
    assert counted(endless) == counted(endless, Wanted("largest", rows=9, items_per_user=5)) == {"2020-01-01T00:00:00": 1}


def test_columns_without_texts_are_refused_by_their_type_and_not_by_a_row() -> None:
    pandas, polars, pyarrow, duckdb = needs("pandas"), needs("polars"), needs("pyarrow"), needs("duckdb")
    spans = pyarrow.table({"user": [1], "area": pyarrow.array([None], pyarrow.duration("s"))})
    nowhere = pyarrow.table({"user": [1], "area": pyarrow.array([None], pyarrow.timestamp("us", "Nowhere/X"))})
    frames = [spans, polars.from_arrow(spans), spans.to_pandas(), spans.to_pandas(types_mapper=pandas.ArrowDtype), nowhere]
    for frame in [*frames, duckdb.sql("SELECT 1 AS user, NULL::INTERVAL AS area")]:
        with pytest.raises(winnow.WinnowError, match="must hold names or numbers"):
            counted(frame)


WITHOUT_ARROW = """
import os, sys
for name in ("pyarrow", "pandas"):
    sys.modules[name] = None
import duckdb, polars, winnow_dp as winnow
rows = polars.DataFrame({"user": [f"u{place % 90}" for place in range(300)], "area": ["Alster", "Bille", "Alster"] * 100, "day": ["x", "y"] * 150})
session = winnow.Session(sys.argv[1])
asked = dict(item="area", user="user", k=1, epsilon=1, candidates=["Alster", "Bille"])
for frame in (rows, rows.lazy()):
    session.top(frame, **asked)
    session.top(frame, **asked, where="day = 'x'", by="day", groups=["x"], max_groups_per_user=1)
    session.names(frame, item=["area", "lower(day)"], user="user", max_items_per_user=2, epsilon=1, delta="1e-6")
relation = duckdb.sql("SELECT 'u' || i AS user, 'Alster' AS area FROM range(90) t(i)")
session.top(relation, **asked)
try:
    session.top(relation, **asked, where="area <> 'x'")
except winnow.WinnowError as error:
    print(session.account().releases, error.code, error)
"""


def test_a_frame_needs_no_packages_but_its_own(tmp_path: Path) -> None:
    needs("polars"), needs("duckdb")
    environment = {**os.environ, "PYTHONPATH": str(Path(winnow.__file__).parents[1])}
    words = [sys.executable, "-W", "ignore", "-c", WITHOUT_ARROW, str(tmp_path / "visits.ledger")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.strip() == "7 unreadable-source Counting these rows needs pyarrow. Run `pip install pyarrow`.", done.stderr


def test_nested_columns_are_refused_by_their_type() -> None:
    polars, pyarrow = needs("polars"), needs("pyarrow")
    columns = {"user": [1, 2], "area": [[1], [2]]}
    for frame in (polars.DataFrame(columns), pyarrow.table(columns), needs("duckdb").from_arrow(pyarrow.table(columns))):
        with pytest.raises(winnow.WinnowError, match="must hold names or numbers"):
            counted(frame)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(winnow.WinnowError, match="The rows must be a frame"):
        rows_of([("u1", "a")])


def test_skipped_rows_and_similar_people_are_told() -> None:
    found = rows_of(pandas_frame([*VISITS, ("U1 ", "Elbe")])).count("area", "user", EVERYTHING)
    assert (found.rows, found.skipped) == (15, 4)
    assert found.similar == 2


def test_the_same_rows_are_recognised_in_another_form() -> None:
    rows = [(f"u{place}", f"i{place % 7}") for place in range(50_000)]
    marks = {rows_of(make(rows)).fingerprint("area", "user") for make in (pandas_frame, arrow_table, polars_frame)}
    assert len(marks) == 1
    assert rows_of(arrow_table(rows[1:])).fingerprint("area", "user") not in marks
    assert rows_of(polars_frame(rows).lazy()).fingerprint("area", "user") is None


def test_the_command_line_counts_the_same(tmp_path: Path) -> None:
    """With an ε that leaves no doubt, counts are exact: both front ends release the same numbers of people."""
    generator = random.Random(3)
    names = ["Alster", "Bille", 'caf\u00e9, "\u00fc"', " Elbe", "17", "17.0", "NULL", "null"]
    rows: list[tuple[Any, Any]] = [(f"u{generator.randrange(400)}", generator.choice(names)) for _ in range(3000)]
    rows += [("", "Alster"), ("u1", "")]
    path = tmp_path / "visits.csv"
    with path.open("w", newline="", encoding="utf8") as file:
        csv.writer(file).writerows([("user", "area"), *rows])
    from cli import winnow as command

    said = command(
        *("top", str(path), "--item", "area", "--user", "user", "-k", str(len(names)), "--epsilon", "5000", "--counts"),
        *("--delta", "1e-9", "--ledger", str(tmp_path / "cli.ledger"), "--yes", "--json"),
    )
    session = winnow.Session(tmp_path / "python.ledger")
    ours = session.top(
        pandas_frame(rows), item="area", user="user", k=len(names), epsilon=5000, counts=True, delta="1e-9", yes=True
    )
    theirs = {winner["item"]: round(Fraction(winner["count"])) for winner in said["answer"]["winners"]}
    assert {each.item: each.count for each in ours.items} == theirs
    assert len(theirs) >= len(names) - 1


def test_a_number_beyond_all_others_ends_nothing() -> None:
    pandas, polars, pyarrow = needs("pandas"), needs("polars"), needs("pyarrow")
    columns = {"user": [1, 2, 3, 4, 5, 6], "area": [17.0, 0.5, 1e300, float("inf"), float("-inf"), float("nan")]}
    table = pyarrow.table(columns)
    frames = [table, polars.DataFrame(columns), polars.DataFrame(columns).lazy(), needs("duckdb").from_arrow(table), pandas.DataFrame(columns)]
    for frame in frames:
        found = counted(frame)
        assert found["17"] == found["0.5"] == 1
        assert 3 <= len(found) <= 5

"""Spark counts its own rows, in this process's JVM and on a cluster with a master and two workers: the same histogram as everywhere."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import random
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import REQUIRED, needs
from test_frames import VISITS, counted, polars_frame, truth
from test_rows_in_groups import COLUMNS, FRAMES, REQUESTS, condition
from test_rows_in_groups import ROWS as GROUPED

import winnow_dp as winnow
from winnow_dp._frames import Wanted, rows_of

ROWS = 10_000


def has_java() -> bool:
    with contextlib.suppress(OSError):
        return subprocess.run(["java", "-version"], capture_output=True, check=False).returncode == 0
    return False


if not REQUIRED and not has_java():
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.fixture(scope="module", params=["local", "cluster"])
def spark(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    needs("pyspark")
    from pyspark.sql import SparkSession
    from spark_cluster import cluster

    with contextlib.ExitStack() as stack:
        master = "local[2]" if request.param == "local" else stack.enter_context(cluster(tmp_path_factory.mktemp("cluster")))
        settings = {
            **{"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4", "spark.driver.host": "127.0.0.1"},
            **{"spark.executor.memory": "512m", "spark.driver.bindAddress": "127.0.0.1", "spark.sql.session.timeZone": "UTC"},
        }
        builder = SparkSession.builder.master(master).appName("winnow")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        stack.callback(session.stop)
        assert session.sparkContext.master == master
        yield session


def test_it_counts_the_people_of_each_item(spark: Any) -> None:
    assert counted(spark.createDataFrame(VISITS, "user string, area string")) == truth(VISITS)


def test_ten_thousand_rows_have_the_counts_that_polars_has(spark: Any) -> None:
    generator = random.Random(4)
    rows: list[Any] = [(f"u{generator.randrange(700)}", f"i{min(generator.randrange(300), generator.randrange(300))}") for _ in range(ROWS)]
    frame = spark.createDataFrame(rows, "user string, area string").repartition(4)
    expected = counted(polars_frame(rows))
    assert counted(frame) == expected == truth(rows)

    key = hashlib.sha256(b"key").digest()
    bounded = counted(frame, Wanted("largest", rows=1000, items_per_user=3, key=key))
    assert bounded == winnow.bound_contributions(rows, max_items_per_user=3, key=key)

    frequencies = rows_of(frame).count("area", "user", Wanted("frequencies"))
    assert sorted(frequencies.users) == sorted(expected.values())

    listed = counted(frame, Wanted("listed", items=["i0", "i1", "nowhere"]))
    assert listed == {name: expected[name] for name in ("i0", "i1")}


def test_only_as_many_rows_come_back_as_the_mechanism_needs(spark: Any) -> None:
    rows = [(f"u{user}", f"i{item}") for item in range(60) for user in range(item)]
    found = rows_of(spark.createDataFrame(rows, "user string, area string")).count("area", "user", Wanted("largest", rows=5))
    assert dict(zip(found.items, found.users, strict=True)) == {f"i{item}": item for item in range(55, 60)}


def test_a_person_keeps_as_many_values_as_the_library_chooses(spark: Any) -> None:
    generator = random.Random(2)
    rows: list[Any] = [(f"u{generator.randrange(20)}", str(generator.randrange(9))) for _ in range(400)]
    key = hashlib.sha256(b"key").digest()
    frame = spark.createDataFrame([*rows, ("u1", "many"), ("u3", None)], "user string, area string")
    ours = counted(frame, Wanted("numbers", items_per_user=2, key=key))
    numbers = {name: many for name, many in ours.items() if name.isdigit()}
    assert numbers == winnow.bound_values(rows, max_values_per_user=2, key=key)


def test_typed_columns_have_the_texts_of_their_values(spark: Any) -> None:
    rows = [
        (1, datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3, 4, 5), Decimal("1.50"), True, 17.0),
        (2, datetime.date(2026, 1, 3), datetime.datetime(2026, 1, 2, 3, 4, 5, 6), Decimal("2.00"), False, 0.1),
        (3, None, None, None, None, float("nan")),
        (4, None, None, None, None, 1e300),
        (5, None, None, None, None, float("inf")),
    ]
    frame = spark.createDataFrame(rows, "user int, day date, time timestamp_ntz, amount decimal(9, 2), flag boolean, size double")
    assert counted(frame, item="day") == {"2026-01-02": 1, "2026-01-03": 1}
    assert counted(frame, item="time") == {"2026-01-02T03:04:05": 1, "2026-01-02T03:04:05.000006": 1}
    assert counted(frame, item="amount") == {"1.50": 1, "2.00": 1}
    assert counted(frame, item="flag") == {"true": 1, "false": 1}
    # Numbers beyond all others have texts of their own, and end nothing.
    assert counted(frame, item="size") == {"17": 1, "0.1": 1, "1.0E300": 1, "Infinity": 1}


def test_nested_columns_and_columns_that_are_not_there_are_refused(spark: Any) -> None:
    frame = spark.createDataFrame([("u1", ["a"])], "user string, area array<string>")
    with pytest.raises(winnow.WinnowError, match="must hold names or numbers"):
        counted(frame)
    with pytest.raises(winnow.WinnowError, match='no column "Area"'):
        counted(frame, item="Area")


def test_what_one_person_writes_changes_no_one_elses_count(spark: Any) -> None:
    rows: list[Any] = [(f"u{user}", item) for user in range(5) for item in ("17", "Alster")]
    before = counted(spark.createDataFrame(rows, "user string, area string"))
    for item in ("17.0", " Alster", "alster", "\u0000", '"', "\n", "x" * 10_000):
        after = counted(spark.createDataFrame([*rows, ("attacker", item)], "user string, area string"))
        assert after == {**before, item: 1}


def test_groups_conditions_and_panels_count_as_in_memory(spark: Any) -> None:
    frame = spark.createDataFrame(GROUPED, ", ".join(f"{name} string" for name in COLUMNS))
    here = rows_of(FRAMES["pandas"](GROUPED))

    def both(wanted: Wanted) -> list[Any]:
        found = [rows.count("area", "user", wanted) for rows in (here, rows_of(frame))]
        return [sorted(zip(*in_cells(each), strict=True)) for each in found]

    def in_cells(found: Any) -> tuple[list[str], list[str], list[int]]:
        names = found.groups or [""]
        sizes = found.sizes or [len(found.items)]
        return [name for name, size in zip(names, sizes, strict=True) for _ in range(size)], found.items, found.users

    everything = Wanted("largest", rows=1000)
    for asked in REQUESTS[:4]:
        ours, theirs = both(replace(everything, groups=asked, also=asked.by))
        assert ours == theirs != []
    people = replace(Wanted("groups"), groups=REQUESTS[0], also=["country"])
    assert both(people)[0] == both(people)[1]
    values = Wanted("numbers", groups=replace(REQUESTS[0], items_per_user=2), also=["country"])
    assert both(values)[0] == both(values)[1]
    hard = "decimal(area) >= 7 or lower(country) in ('de', 'it''s') and month like '20%' or not (country <> '1:DE') or trim(area) = 'x' or month is null"
    found = both(replace(condition(hard), kind="largest", rows=1000))
    assert found[0] == found[1] != []
    panel = {"key": "7" * 64, "hashes": [["0" * 64, "2" + "0" * 63], ["9" + "0" * 63, None]]}
    some = both(replace(everything, panel=panel))
    assert some[0] == some[1] != both(everything)[0]


def test_a_release_is_recorded_and_verifies(spark: Any, tmp_path: Path) -> None:
    rows = [(f"u{user}", f"i{item}") for item in range(8) for user in range(200 - 20 * item)]
    frame = spark.createDataFrame(rows, "user string, area string")
    session = winnow.Session(tmp_path / "visits.ledger")
    release = session.top(frame, item="area", user="user", k=3, epsilon=8, delta="1e-6")
    assert release.names == ["i0", "i1", "i2"]
    assert session.verify(release) == []
    assert release.document["source"]["dialect"]["format"] == "Spark data frame"



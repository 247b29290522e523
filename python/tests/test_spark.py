"""Spark counts its own rows, in this process's JVM and on a cluster with a master and two workers: the same histogram as everywhere."""

from __future__ import annotations

import contextlib
import datetime
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
from test_rows_in_groups import BASKETS, COLUMNS, FRAMES, ITEMS, KEY, REQUESTS, condition, people_of_items, wanted_items
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


#: A JVM that runs for seconds never gets back what its second compiler and parallel collectors cost.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    **{"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2"},
    **{"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.sql.session.timeZone": "UTC"},
    **{"spark.executor.memory": "512m", "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false"},
}


@contextlib.contextmanager
def running(master: str, events: Path) -> Iterator[Any]:
    needs("pyspark")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("winnow")
    for name, value in {**SETTINGS, "spark.eventLog.enabled": "true", "spark.eventLog.dir": events.as_uri()}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    assert session.sparkContext.master == master
    try:
        yield session
    finally:
        session.stop()


@pytest.fixture(scope="module", autouse=True)
def _short_lived() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", SHORT_LIVED)
        yield


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("events")


@pytest.fixture(scope="module")
def spark(_short_lived: None, events: Path) -> Iterator[Any]:
    """In this process's JVM."""
    with running("local[2]", events) as session:
        yield session


def test_it_counts_the_people_of_each_item(spark: Any) -> None:
    assert counted(spark.createDataFrame(VISITS, "user string, area string")) == truth(VISITS)


def counts_ten_thousand_rows(spark: Any) -> None:
    generator = random.Random(4)
    rows: list[Any] = [(f"u{generator.randrange(700)}", f"i{min(generator.randrange(300), generator.randrange(300))}") for _ in range(ROWS)]
    frame = spark.createDataFrame(rows, "user string, area string").repartition(4)
    expected = counted(polars_frame(rows))
    assert counted(frame) == expected == truth(rows)

    bounded = counted(frame, Wanted("largest", rows=1000, items_per_user=3, key=KEY))
    assert bounded == winnow.bound_contributions(rows, max_items_per_user=3, key=KEY)


def test_ten_thousand_rows_have_the_counts_that_polars_has(spark: Any) -> None:
    counts_ten_thousand_rows(spark)


def test_frequencies_and_lists_are_counted(spark: Any) -> None:
    frame = spark.createDataFrame(VISITS, "user string, area string")
    frequencies = rows_of(frame).count("area", "user", Wanted("frequencies"))
    assert sorted(frequencies.users) == sorted(truth(VISITS).values())
    listed = counted(frame, Wanted("listed", items=["Alster", "Bille", "nowhere"]))
    assert listed == {name: truth(VISITS)[name] for name in ("Alster", "Bille")}


def test_only_as_many_rows_come_back_as_the_mechanism_needs(spark: Any) -> None:
    rows = [(f"u{user}", f"i{item}") for item in range(60) for user in range(item)]
    found = rows_of(spark.createDataFrame(rows, "user string, area string")).count("area", "user", Wanted("largest", rows=5))
    assert dict(zip(found.items, found.users, strict=True)) == {f"i{item}": item for item in range(55, 60)}


def test_a_person_keeps_as_many_values_as_the_library_chooses(spark: Any) -> None:
    generator = random.Random(2)
    rows: list[Any] = [(f"u{generator.randrange(20)}", str(generator.randrange(9))) for _ in range(400)]
    frame = spark.createDataFrame([*rows, ("u1", "many"), ("u3", None)], "user string, area string")
    ours = counted(frame, Wanted("numbers", items_per_user=2, key=KEY))
    numbers = {name: many for name, many in ours.items() if name.isdigit()}
    assert numbers == winnow.bound_values(rows, max_values_per_user=2, key=KEY)


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
    texts = ("17.0", " Alster", "alster", "\u0000", '"', "\n", "x" * 10_000)
    attacked = [*rows, *((f"attacker {place}", text) for place, text in enumerate(texts))]
    assert counted(spark.createDataFrame(attacked, "user string, area string")) == {"17": 5, "Alster": 5, **dict.fromkeys(texts, 1)}


def test_groups_conditions_and_panels_count_as_in_memory(spark: Any) -> None:
    frame = spark.createDataFrame(GROUPED, ", ".join(f"{name} string" for name in COLUMNS))
    here = rows_of(FRAMES["pandas"](GROUPED))

    def both(wanted: Wanted) -> list[Any]:
        found = [rows.count("area", "user", wanted) for rows in (here, rows_of(frame))]
        return [sorted(zip(in_order(each), each.items, each.users, strict=True)) for each in found]

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
    some = both(replace(everything, panel=PANEL))
    assert some[0] == some[1] != both(everything)[0]


PANEL = {"key": "7" * 64, "hashes": [["0" * 64, "2" + "0" * 63], ["9" + "0" * 63, None]]}


def test_computed_items_are_those_of_every_frame(spark: Any) -> None:
    frame = spark.createDataFrame(BASKETS, ", ".join(f"{name} string" for name in COLUMNS))
    for kind in ITEMS:
        made = rows_of(frame).count("a name", "user", replace(wanted_items(kind), kind="largest", rows=100))
        assert dict(zip(made.items, made.users, strict=True)) == people_of_items(kind), kind
    limited = replace(wanted_items("a computed basket"), items_per_user=1, key=KEY)
    in_groups = replace(wanted_items("a basket", where="user <> 'u1'"), groups=REQUESTS[0])
    for wanted in (limited, replace(in_groups, also=["country", *in_groups.also])):
        found = [rows_of(each).count("a name", "user", replace(wanted, kind="largest", rows=100)) for each in (FRAMES["Arrow"](BASKETS), frame)]
        ours, theirs = (sorted(zip(in_order(each), each.items, each.users, strict=True)) for each in found)
        assert [each for each in ours if each[2] > 0] == theirs != []


def in_order(found: Any) -> list[str]:
    """The group of each item."""
    return [name for name, size in zip(found.groups or [""], found.sizes or [len(found.items)], strict=True) for _ in range(size)]


def test_no_key_is_in_a_plan(spark: Any, events: Path) -> None:
    """The event log has every plan. Keys of cuts and of panels are secrets of a release and of the ledger."""
    from pyspark.sql import functions as sql

    frame = spark.createDataFrame(GROUPED, ", ".join(f"{name} string" for name in COLUMNS))
    secret = bytes(range(100, 132))
    spark.conf.set("spark.sql.maxMetadataStringLength", "100000")
    rows_of(frame).count("area", "user", Wanted("largest", rows=9, items_per_user=1, key=secret, panel={**PANEL, "key": secret.hex()}))
    asked = replace(REQUESTS[1], key=secret)
    rows_of(frame).count("area", "user", Wanted("largest", rows=9, groups=asked, also=["country"]))
    shown = bytes(range(200, 232))
    frame.select(sql.sha2(sql.concat(sql.lit(bytearray(shown)), sql.encode("user", "UTF-8")), 256)).collect()
    (log,) = (path for path in events.iterdir() if path.is_file())
    written = log.read_text(encoding="utf8").lower()
    assert shown.hex() in written  # a literal would be there
    assert "row_number" in written and secret.hex() not in written


def is_released(spark: Any, folder: Path) -> None:
    rows = [(f"u{user}", f"i{item}") for item in range(8) for user in range(200 - 20 * item)]
    frame = spark.createDataFrame(rows, "user string, area string")
    session = winnow.Session(folder / "visits.ledger")
    release = session.top(frame, item="area", user="user", k=3, epsilon=8, delta="1e-6")
    assert release.names == ["i0", "i1", "i2"]
    assert session.verify(release) == []
    assert release.document["source"]["dialect"]["format"] == "Spark data frame"


def test_a_release_is_recorded_and_verifies(spark: Any, tmp_path: Path) -> None:
    is_released(spark, tmp_path)


def test_a_cluster_counts_and_releases_the_same(spark: Any, events: Path, tmp_path: Path) -> None:
    """A master and two workers, each a process of its own. The last test here: it takes the place of the session before it."""
    from spark_cluster import cluster

    spark.stop()
    with cluster(tmp_path) as master, running(master, events) as session:
        counts_ten_thousand_rows(session)
        frame = session.createDataFrame(GROUPED, ", ".join(f"{name} string" for name in COLUMNS)).repartition(4)
        found = [rows_of(each).count("area", "user", Wanted("largest", rows=1000, groups=REQUESTS[2], also=REQUESTS[2].by, panel=PANEL)) for each in (FRAMES["Arrow"](GROUPED), frame)]
        ours, theirs = (sorted(zip(in_order(each), each.items, each.users, strict=True)) for each in found)
        assert ours == theirs != []
        is_released(session, tmp_path)

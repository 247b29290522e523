"""Counts the people of each item in the rows of a frame, by the frame's own engine or in memory (`_counting.py`). The rows stay where they are.

House rule: the types of a frame are fixed before a row is counted, and what one person writes changes no one else's rows. A row
without an item or a person is skipped, and one whose item or person has no text (`_text.py`) too.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import zoneinfo
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from ._counting import NUMBER, Column, Counted, Wanted, WantedGroups, WantedItems, count
from ._engine import call
from ._errors import WinnowError
from ._text import text_of

_BLOCKS = 64
_BLOCK = 256


class Rows(Protocol):
    """Rows of people and items."""

    @property
    def format(self) -> str:
        """What a release says of where the rows were: never a type that someone's row decides."""
        ...

    def check(self, *columns: str) -> None:
        """Refuses a column that isn't there, or whose type has no texts. The schema is public."""
        ...

    def count(self, item: str, user: str, wanted: Wanted) -> Counted: ...

    def fingerprint(self, *columns: str) -> str | None:
        """What tells these rows from others, where that is cheap."""
        ...


def rows_of(given: Any) -> Rows:
    """The rows of a frame of any kind that Winnow counts."""
    kinds = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(given).__mro__}
    for names, make in _KINDS:
        if kinds & names:
            return make(given)
    raise WinnowError(
        "usage",
        "The rows must be a frame of pandas or Polars, an Arrow table or data set, a DuckDB relation or a Spark frame; "
        f"got {type(given).__name__}.",
    )


def no_column(name: str) -> WinnowError:
    return WinnowError("unknown-column", f"The rows have no column {json.dumps(name, ensure_ascii=False)}.")


def no_texts(name: str, kind: object) -> WinnowError:
    quoted = json.dumps(name, ensure_ascii=False)
    return WinnowError(
        "unknown-column", f"The column {quoted} must hold names or numbers; its type is {kind}.", next="Convert it first."
    )


def _need(*packages: str) -> None:
    """Not everyone has what some questions are counted with."""
    for name in packages:
        if importlib.util.find_spec(name) is None:
            raise WinnowError("unreadable-source", f"Counting these rows needs {name}.", next=f"Run `pip install {name}`.")


def _check(columns: Iterable[Any], wanted: Iterable[str]) -> None:
    known = list(columns)
    for name in wanted:
        if known.count(name) != 1:
            raise no_column(name)


class _InMemory:
    """Rows as two columns of codes: shared by pandas and Arrow."""

    def codes(self, column: str) -> Column:
        """For each row the number of its value, below 0 for a missing one; and the text of each value."""
        raise NotImplementedError

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        """Some values, by the first row and the row after the last."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        return count(self.codes, item, user, wanted)

    def fingerprint(self, *columns: str) -> str | None:
        rows = len(self)
        count = min(_BLOCKS, -(-rows // _BLOCK)) if rows else 0
        last = max(rows - _BLOCK, 0)
        starts = sorted({last * place // max(count - 1, 1) for place in range(count)})
        places = [(start, min(start + _BLOCK, rows)) for start in starts]
        hashed = hashlib.sha256(f"{rows}\n".encode())
        for column in columns:
            for value in self.blocks(column, places):
                hashed.update(json.dumps(text_of(value)).encode())
        return hashed.hexdigest()


class PandasRows(_InMemory):
    format = "pandas data frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __len__(self) -> int:
        return len(self.frame)

    def check(self, *columns: str) -> None:
        import pandas

        _check(self.frame.columns, columns)
        for column in columns:
            kind = self.frame[column].dtype
            if getattr(kind, "kind", "O") == "m":
                raise no_texts(column, kind)
            if isinstance(kind, pandas.ArrowDtype):
                _check_arrow(column, kind.pyarrow_dtype)

    def codes(self, column: str) -> Column:
        import pandas

        series = self.frame[column]
        if isinstance(series.dtype, pandas.ArrowDtype):
            return _arrow_series(series).codes(column)
        if series.dtype == object and pandas.api.types.infer_dtype(series, skipna=True) != "string":
            # Each value by itself: 17 and "17" are one item, whatever stands beside them.
            series = pandas.Series([text_of(value) for value in series.tolist()], dtype=object)
        codes, values = pandas.factorize(series, use_na_sentinel=True)
        return codes, [text_of(value) for value in _plain(values)]

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        import pandas

        series = self.frame[column]
        if isinstance(series.dtype, pandas.ArrowDtype):
            return _arrow_series(series).blocks(column, places)
        return [value for start, end in places for value in series.iloc[start:end].tolist()]


def _arrow_series(series: Any) -> ArrowRows:
    import pyarrow

    return ArrowRows(pyarrow.table({series.name: pyarrow.array(series.array)}))


def _plain(values: Any) -> list[Any]:
    """Values of an index or an array as Python has them; dates keep their own class."""
    kept: list[Any] = values.tolist() if getattr(getattr(values, "dtype", None), "kind", "O") not in "mM" else list(_with_class(values))
    return kept


def _with_class(values: Any) -> Any:
    import pandas

    return pandas.Index(values)


class ArrowRows(_InMemory):
    format = "Arrow table"

    def __init__(self, table: Any) -> None:
        self.table = table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def check(self, *columns: str) -> None:
        schema = self.table.schema
        _check(schema.names, columns)
        for column in columns:
            _check_arrow(column, schema.field(column).type)

    def codes(self, column: str) -> Column:
        import numpy
        import pyarrow

        values = self.table.column(column)
        if pyarrow.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        values = _as_python_has(values)
        encoded = values.dictionary_encode().unify_dictionaries().combine_chunks()
        if isinstance(encoded, pyarrow.ChunkedArray):
            encoded = encoded.chunk(0) if encoded.num_chunks else pyarrow.array([], values.type).dictionary_encode()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return numpy.asarray(codes), [text_of(value) for value in encoded.dictionary.to_pylist()]

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        values = self.table.column(column)
        return [value for start, end in places for value in _as_python_has(values.slice(start, end - start)).to_pylist()]


def _as_python_has(values: Any) -> Any:
    """Days and times outside the years that Python has are missing, and nanoseconds are left out: someone's row must not end the count."""
    import pyarrow
    import pyarrow.compute as compute

    kind = values.type
    if pyarrow.types.is_time64(kind):
        return values.cast(pyarrow.time64("us"), safe=False)
    if pyarrow.types.is_timestamp(kind) and kind.unit == "ns":
        floored = compute.floor_temporal(values.cast(pyarrow.timestamp("ns")), unit="microsecond")
        return floored.cast(pyarrow.timestamp("us")).cast(pyarrow.timestamp("us", kind.tz))
    if not (pyarrow.types.is_date(kind) or pyarrow.types.is_timestamp(kind)):
        return values
    unit = "d" if pyarrow.types.is_date32(kind) else "ms" if pyarrow.types.is_date64(kind) else kind.unit
    least, most = _range_of(unit)
    numbers = values.cast(pyarrow.int32() if unit == "d" else pyarrow.int64())
    inside = compute.and_(compute.greater_equal(numbers, least), compute.less_equal(numbers, most))
    kept = compute.if_else(inside, values, pyarrow.scalar(None, kind))
    return kept.cast(pyarrow.date32(), safe=False) if pyarrow.types.is_date64(kind) else kept


def _range_of(unit: str) -> tuple[int, int]:
    """From the second day of the year 1 to the last but one of the year 9999, since 1970: a time zone adds or takes less than a day."""
    times = _IN_A_DAY[unit]
    return -719_161 * times, 2_932_896 * times - (unit != "d")


_IN_A_DAY = {"d": 1, "s": 86_400, "ms": 86_400_000, "us": 86_400_000_000}


def _check_zone(column: str, name: str) -> None:
    """Without it a time has no text."""
    try:
        if not name.startswith(("+", "-")):
            zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise no_texts(column, f"a time of the zone {name}, which is not known here") from None


def _check_arrow(column: str, kind: Any) -> None:
    import pyarrow

    types = pyarrow.types
    inner = kind.value_type if types.is_dictionary(kind) else kind
    plain = (types.is_string, types.is_large_string, types.is_string_view, types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    if types.is_timestamp(inner) and inner.tz is not None:
        _check_zone(column, inner.tz)
    if not any(test(inner) for test in (*plain, types.is_date, types.is_timestamp, types.is_time, types.is_null)):
        raise no_texts(column, kind)


def _columns(item: str, user: str, wanted: Wanted) -> list[str]:
    """All that are read, each once."""
    items = [item] if wanted.computed is None else []
    return list(dict.fromkeys([*items, user, *wanted.also]))


class ArrowDataset:
    """A data set that need not fit into memory: only two columns of it are read."""

    format = "Arrow data set"

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def check(self, *columns: str) -> None:
        _check(self.dataset.schema.names, columns)
        for column in columns:
            _check_arrow(column, self.dataset.schema.field(column).type)

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        return ArrowRows(self.dataset.to_table(columns=_columns(item, user, wanted))).count(item, user, wanted)

    def fingerprint(self, *columns: str) -> str | None:
        return None


class PolarsRows:
    format = "Polars frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.is_lazy = not hasattr(frame, "lazy") or type(frame).__name__ == "LazyFrame"
        self.lazy = frame if self.is_lazy else frame.lazy()

    def check(self, *columns: str) -> None:
        import polars

        schema = self.lazy.collect_schema()
        _check(schema.names(), columns)
        for column in columns:
            kind = schema[column]
            if kind.is_nested() or kind in (polars.Object, polars.Binary, polars.Duration):
                raise no_texts(column, kind)

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        import polars

        if not wanted.is_plain:
            # People are cut by keyed hashes of texts, person by person, and conditions are about texts.
            _need("numpy")
            schema = self.lazy.collect_schema()
            columns = [_polars_plain(name, schema[name]).alias(name) for name in _columns(item, user, wanted)]
            rows = self.lazy.select(columns).collect(engine="streaming")
            return _PolarsColumns(rows).count(item, user, wanted)
        schema = self.lazy.collect_schema()
        valid = _polars_valid(item, schema[item]) & _polars_valid(user, schema[user])
        rows = self.lazy.select(
            _polars_plain(item, schema[item]).alias("item"), _polars_plain(user, schema[user]).alias("user"), valid.alias("valid")
        )
        total = rows.select(polars.len().alias("rows"), polars.col("valid").sum().alias("valid"))
        counts = rows.filter("valid").group_by("item").agg(polars.col("user").n_unique().alias("users"))
        if wanted.kind == "largest":
            counts = counts.filter(polars.col("users").rank("min", descending=True) <= wanted.rows)
        counted, totals = polars.collect_all([counts, total], engine="streaming")
        everything, kept = totals.row(0)
        items = [text_of(value) or "" for value in counted["item"].to_list()]
        return Counted(items, counted["users"].to_list(), everything, everything - (kept or 0), is_whole=wanted.kind != "largest")

    def fingerprint(self, *columns: str) -> str | None:
        if self.is_lazy:
            return None
        return _PolarsColumns(self.frame.select([_polars_plain(name, self.frame.schema[name]).alias(name) for name in columns])).fingerprint(*columns)


class _PolarsColumns(_InMemory):
    """Columns of a frame that is in memory, by Polars alone: not everyone who has it has Arrow."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __len__(self) -> int:
        return int(self.frame.height)

    def codes(self, column: str) -> Column:
        import numpy
        import polars

        values = self.frame.get_column(column).alias("value")
        places = polars.DataFrame([values.drop_nulls().unique()]).with_row_index("place")
        found = polars.DataFrame([values]).join(places, on="value", how="left", maintain_order="left").get_column("place")
        codes = numpy.asarray(found.cast(polars.Int64).fill_null(-1))
        return codes, [text_of(value) for value in places.get_column("value").to_list()]

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        values = self.frame.get_column(column)
        return [value for start, end in places for value in values.slice(start, end - start).to_list()]


def _polars_valid(name: str, kind: Any) -> Any:
    """Neither missing nor empty."""
    import polars

    column = polars.col(name)
    valid = _polars_plain(name, kind).is_not_null()
    if kind.is_float():
        return valid & column.is_not_nan()
    return valid & (_polars_plain(name, kind) != "") if kind in (polars.String, polars.Categorical, polars.Enum) else valid


def _polars_plain(name: str, kind: Any) -> Any:
    """Categories as their texts, and times as Python has them."""
    import polars

    column = polars.col(name)
    if kind == polars.Date:
        return polars.when(column.to_physical().is_between(*_range_of("d"))).then(column)
    if isinstance(kind, polars.Datetime):
        if kind.time_unit == "ns":
            return column.dt.cast_time_unit("us")
        return polars.when(column.to_physical().is_between(*_range_of(kind.time_unit))).then(column)
    return column.cast(polars.String) if kind in (polars.Categorical, polars.Enum) else column


class DuckDbRows:
    format = "DuckDB relation"

    def __init__(self, relation: Any) -> None:
        self.relation = relation

    def check(self, *columns: str) -> None:
        _check(self.relation.columns, columns)
        types = dict(zip(self.relation.columns, self.relation.types, strict=True))
        for column in columns:
            kind = str(types[column]).upper()
            if any(nested in kind for nested in ("[", "STRUCT", "MAP", "UNION", "BLOB", "BIT", "VARIANT", "GEOMETRY", "INTERVAL")):
                raise no_texts(column, types[column])
            if kind.startswith("TIME") and kind.endswith("ZONE"):
                _need("pytz")

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        types = dict(zip(self.relation.columns, map(str, self.relation.types), strict=True))
        if not wanted.is_plain:
            _need("numpy", "pyarrow")
            columns = ", ".join(f"{_sql_column(name, types[name])} AS {_quoted(name)}" for name in _columns(item, user, wanted))
            return ArrowRows(self.relation.project(columns).to_arrow_table()).count(item, user, wanted)
        names = [_sql_column(name, types[name]) for name in (item, user)]
        valid = " AND ".join(_sql_valid(name, types[column]) for name, column in zip(("item", "person"), (item, user), strict=True))
        inner = f"SELECT {names[0]} AS item, {names[1]} AS person FROM winnow_rows"
        counts = f"""SELECT item, count(*) AS users FROM (
            SELECT DISTINCT item, person FROM ({inner}) WHERE {valid}) GROUP BY item"""
        if wanted.kind == "largest":
            counts += f" QUALIFY rank() OVER (ORDER BY users DESC) <= {int(wanted.rows or 0)}"
        found = self.relation.query("winnow_rows", counts).fetchall()
        items = [text_of(value) or "" for value, _ in found]
        return Counted(items, [many for _, many in found], is_whole=wanted.kind != "largest")

    def fingerprint(self, *columns: str) -> str | None:
        return None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sql_column(name: str, kind: str) -> str:
    quoted = _quoted(name)
    kind = kind.upper()
    if kind == "DATE":
        return f"CASE WHEN {quoted} BETWEEN DATE '0001-01-02' AND DATE '9999-12-30' THEN {quoted} END"
    if kind.startswith("TIMESTAMP"):  # infinite ones are outside too
        same = "TIMESTAMPTZ" if kind.endswith("ZONE") else "TIMESTAMP"
        time = f"TRY_CAST({quoted} AS {same})"
        if kind == "TIMESTAMP_NS":  # down to microseconds, also before 1970
            nanoseconds = f"epoch_ns({quoted})"
            time = f"TRY(make_timestamp(({nanoseconds} - ({nanoseconds} % 1000 + 1000) % 1000) // 1000))"
        return f"CASE WHEN {time} BETWEEN {same} '0001-01-02' AND {same} '9999-12-30 23:59:59.999999' THEN {time} END"
    return f"CAST({quoted} AS VARCHAR)" if kind.startswith("ENUM") else quoted


def _sql_valid(name: str, kind: str) -> str:
    kind = kind.upper()
    if kind in ("FLOAT", "DOUBLE"):
        return f"{name} IS NOT NULL AND NOT isnan({name})"
    return f"{name} IS NOT NULL AND {name} <> ''" if kind.startswith(("VARCHAR", "ENUM")) else f"{name} IS NOT NULL"


class SparkRows:
    """Counted by Spark itself: what comes back is what the mechanism needs, and nothing else."""

    format = "Spark data frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def check(self, *columns: str) -> None:
        types = {field.name: field.dataType for field in self.frame.schema.fields}
        _check(self.frame.columns, columns)
        for column in columns:
            if types[column].typeName() in _NO_SPARK_TEXTS:
                raise no_texts(column, types[column].simpleString())

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        from pyspark.sql import functions as sql

        also = [self._text(name).alias(f"also_{place}") for place, name in enumerate(wanted.also)]
        items = [self._text(item).alias("item")] if wanted.computed is None else []
        rows = self.frame.select(*items, self._text(user).alias("person"), *also).where("person IS NOT NULL AND person <> ''")
        if wanted.where is not None:
            rows = rows.where(call("sparkCondition", [wanted.where, list(wanted.also)]))
        if wanted.computed is not None:
            rows = self._with_items(rows, wanted.computed, wanted.also)
        rows = rows.where("item IS NOT NULL AND item <> ''")
        if wanted.panel is not None:
            rows = rows.where(_spark_panel(wanted.panel, self._secret(wanted.panel["key"].encode())))
        if wanted.is_of_numbers:
            rows = rows.where(sql.col("item").rlike(rf"^{NUMBER}\z"))
        return self._in_groups(rows, wanted, wanted.groups) if wanted.groups is not None else self._of_all(rows, wanted)

    def _with_items(self, rows: Any, asked: WantedItems, also: Sequence[str]) -> Any:
        """A row for each item of a row."""
        from pyspark.sql import functions as sql

        others = ["person", *(f"also_{place}" for place in range(len(also)))]
        made = [sql.expr(text) for text in call("sparkItems", [list(asked.parts), list(also)])]
        rows = rows.select(*others, sql.explode(sql.array(*made)).alias("item"))
        if asked.renamed is None:
            return rows
        names = self.frame.sparkSession.createDataFrame(list(asked.renamed.items()), "item string, renamed string")
        return rows.join(sql.broadcast(names), "item").select(*others, sql.col("renamed").alias("item"))

    def _of_all(self, rows: Any, wanted: Wanted) -> Counted:
        from pyspark.sql import functions as sql

        pairs = _spark_copies(rows, ["person", "item"], wanted)
        if wanted.items_per_user is not None:
            pairs = _spark_first(pairs, ["person"], [_spark_measured("person")], wanted.items_per_user, self._secret(wanted.key))
        counts = pairs.groupBy("item").agg(sql.count(sql.lit(1)).alias("users"))
        if wanted.kind == "largest":
            counts = counts.orderBy(sql.col("users").desc(), sql.col("item")).limit(int(wanted.rows or 0))
        elif wanted.kind == "frequencies":
            counts = counts.groupBy("users").agg(sql.count(sql.lit(1)).alias("items"))
            return _from_frequencies([(row["users"], row["items"]) for row in counts.collect()])
        elif wanted.kind == "listed" and wanted.items is not None:
            counts = self._among(counts, "item", wanted.items)
        found = counts.collect()
        items, users = [row["item"] for row in found], [row["users"] for row in found]
        return Counted(items, users, is_whole=wanted.kind not in ("largest", "listed"))

    def _in_groups(self, rows: Any, wanted: Wanted, asked: WantedGroups) -> Counted:
        from pyspark.sql import Window
        from pyspark.sql import functions as sql

        columns = [f"also_{place}" for place in range(len(asked.by))]
        rows = rows.where(" AND ".join(f"{name} IS NOT NULL AND {name} <> ''" for name in columns))
        key = self._secret(asked.key)
        group = sql.concat(*(_spark_measured(name) for name in columns[:-1]), sql.col(columns[-1]))
        rows = rows.select("item", "person", group.alias("group"))
        if asked.listed is not None:
            rows = self._among(rows, "group", asked.listed)
        people = rows.select("person", "group").distinct().withColumn("item", sql.col("group")).withColumn("copy", sql.lit(None).cast("int"))
        before = [_spark_measured("person"), sql.lit("g")]
        people = _spark_first(people, ["person"], before, asked.per_user, key).select("person", "group")
        if asked.only is not None:
            people = self._among(people, "group", asked.only)
        if wanted.kind == "groups":
            found = people.groupBy("group").agg(sql.count(sql.lit(1)).alias("users")).collect()
            return Counted([row["group"] for row in found], [row["users"] for row in found])
        cut = _spark_copies(rows, ["person", "group", "item"], wanted).join(people, ["person", "group"], "left_semi")
        if asked.items_per_user is not None:
            before = [_spark_measured("person"), sql.lit("i"), _spark_measured("group")]
            cut = _spark_first(cut, ["person", "group"], before, asked.items_per_user, key)
        counts = cut.groupBy("group", "item").agg(sql.count(sql.lit(1)).alias("users"))
        if wanted.kind == "frequencies":
            counts = counts.groupBy("group", "users").agg(sql.count(sql.lit(1)).alias("items"))
        elif wanted.kind == "largest":
            place = sql.row_number().over(Window.partitionBy("group").orderBy(sql.col("users").desc(), "item"))
            counts = counts.withColumn("place", place).where(sql.col("place") <= int(wanted.rows or 0))
        elif wanted.kind == "listed" and wanted.items is not None:
            counts = self._among(counts, "item", wanted.items)
        by_group: dict[str, list[Any]] = {}
        for row in counts.collect():
            by_group.setdefault(row["group"], []).append(row)
        items: list[str] = []
        users: list[int] = []
        sizes: list[int] = []
        for found in by_group.values():
            if wanted.kind == "frequencies":
                part = _from_frequencies([(row["users"], row["items"]) for row in found])
            else:
                part = Counted([row["item"] for row in found], [row["users"] for row in found])
            items += part.items
            users += part.users
            sizes.append(len(part.items))
        return Counted(items, users, is_whole=wanted.kind not in ("largest", "listed"), groups=list(by_group), sizes=sizes)

    def _secret(self, key: bytes) -> Any:
        """As the value of a query of its own: a literal would be in the plan, which Spark shows on its pages and writes into its event log."""
        return self.frame.sparkSession.createDataFrame([(bytearray(key),)], "secret binary").scalar()

    def _among(self, rows: Any, column: str, names: Sequence[str]) -> Any:
        from pyspark.sql import functions as sql

        listed = self.frame.sparkSession.createDataFrame([(name,) for name in names], f"`{column}` string")
        return rows.join(sql.broadcast(listed), column, "left_semi")

    def _text(self, name: str) -> Any:
        """As `text_of` writes it."""
        from pyspark.sql import functions as sql

        quoted = "`" + name.replace("`", "``") + "`"
        column = sql.col(quoted)
        kind = self.frame.schema[name].dataType.typeName()
        if kind in ("float", "double"):
            # A number that is no whole one must not end the count: `try_cast` has none for it, where a cast would raise.
            whole = sql.expr(f"try_cast({quoted} AS BIGINT)")
            is_whole = whole.isNotNull() & (whole.cast("double") == column)
            return sql.when(sql.isnan(column), None).when(is_whole, whole.cast("string")).otherwise(column.cast("string"))
        if kind in ("timestamp", "timestamp_ntz"):  # a T between day and time, and all six digits of a fraction or none
            time = sql.replace(column.cast("string"), sql.lit(" "), sql.lit("T"))
            fraction = sql.rpad(sql.substring_index(time, ".", -1), 6, "0")
            return sql.when(time.contains("."), sql.concat(sql.substring_index(time, ".", 1), sql.lit("."), fraction)).otherwise(time)
        return column.cast("string")

    def fingerprint(self, *columns: str) -> str | None:
        return None


def _spark_measured(name: str) -> Any:
    """A text with its length in bytes before it."""
    from pyspark.sql import functions as sql

    return sql.concat(sql.octet_length(name).cast("string"), sql.lit(":"), sql.col(name))


def _spark_copies(rows: Any, columns: list[str], wanted: Wanted) -> Any:
    """Different rows; of values all, numbered among those that are equal."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sql

    if not wanted.is_of_numbers:
        return rows.select(*columns).distinct().withColumn("copy", sql.lit(None).cast("int"))
    return rows.select(*columns).withColumn("copy", sql.row_number().over(Window.partitionBy(*columns).orderBy("item")))


def _spark_first(rows: Any, owner: list[str], before: list[Any], most: int, key: Any) -> Any:
    """What each owner keeps: the rows with the smallest hashes of the key, of what is before, and of the item with the number of its copy."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sql

    number = sql.when(sql.col("copy").isNull(), "").otherwise(sql.concat(sql.col("copy").cast("string"), sql.lit(":")))
    text = sql.encode(sql.concat(*before, number, sql.col("item")), "UTF-8")
    rows = rows.withColumn("mark", sql.sha2(sql.concat(key, text), 256))
    place = sql.row_number().over(Window.partitionBy(*owner).orderBy("mark", "item", "copy"))
    return rows.withColumn("place", place).where(sql.col("place") <= most).drop("place", "mark")


def _spark_panel(panel: Mapping[str, Any], key: Any) -> Any:
    from pyspark.sql import functions as sql

    mark = sql.sha2(sql.concat(key, sql.encode(_spark_measured("person"), "UTF-8")), 256)
    ranges = [mark >= low if high is None else (mark >= low) & (mark < high) for low, high in panel["hashes"]]
    return functools.reduce(lambda one, other: one | other, ranges)


def _from_frequencies(found: Sequence[tuple[int, int]]) -> Counted:
    """As many nameless items with each number of people: only the numbers matter to a list of frequencies."""
    users = [many for many, items in found for _ in range(items)]
    return Counted([f"item {place}" for place in range(len(users))], users)


_NO_SPARK_TEXTS = {"array", "map", "struct", "binary", "variant", "udt", "void"}

_KINDS: Sequence[tuple[set[str], Callable[[Any], Rows]]] = (
    ({"pandas.DataFrame"}, PandasRows),
    ({"polars.DataFrame", "polars.LazyFrame"}, PolarsRows),
    ({"pyarrow.Table", "pyarrow.RecordBatch"}, lambda given: ArrowRows(_as_table(given))),
    ({"pyarrow.Dataset"}, ArrowDataset),
    ({"duckdb.DuckDBPyRelation", "_duckdb.DuckDBPyRelation"}, DuckDbRows),
    ({"pyspark.DataFrame"}, SparkRows),
)


def _as_table(given: Any) -> Any:
    import pyarrow

    return pyarrow.Table.from_batches([given]) if type(given).__name__ == "RecordBatch" else given

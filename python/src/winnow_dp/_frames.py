"""Counts the people of each item in the rows of a frame, by the frame's own engine. The rows stay where they are.

House rule: the types of a frame are fixed before a row is counted, and what one person writes changes no one else's rows. A row
without an item or a person is skipped, and one whose item or person has no text (`_text.py`) too.
"""

from __future__ import annotations

import array
import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from ._errors import WinnowError
from ._text import similar, text_of
from ._values import Buffer

_MOST_COMPARED = 100_000
_BLOCKS = 64
_BLOCK = 256


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

    @classmethod
    def of(cls, sent: Mapping[str, Any]) -> Wanted:
        candidates = sent["candidates"]
        return cls(
            kind=candidates["kind"],
            rows=candidates.get("rows"),
            items=candidates.get("items"),
            items_per_user=sent.get("itemsPerUser"),
            key=bytes.fromhex(sent.get("key", "")),
        )


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

    def to_engine(self) -> dict[str, Any]:
        facts = {"rows": self.rows, "skippedRows": self.skipped, "similarUsers": self.similar or None}
        if self.is_whole:
            facts["items"] = sum(1 for each in self.users if each > 0)
        users = Buffer(memoryview(array.array("d", self.users)).cast("B") if self.users else memoryview(b""), "f8")
        return {
            "items": self.items,
            "users": users,
            "facts": {name: part for name, part in facts.items() if part is not None},
        }


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

    def fingerprint(self, item: str, user: str) -> str | None:
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


def _check(columns: Iterable[Any], wanted: Iterable[str]) -> None:
    known = list(columns)
    for name in wanted:
        if known.count(name) != 1:
            raise no_column(name)


class _InMemory:
    """Rows as two columns of codes: shared by pandas and Arrow."""

    def codes(self, column: str) -> tuple[Any, list[str | None]]:
        """For each row the number of its value, below 0 for a missing one; and the text of each value."""
        raise NotImplementedError

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        """Some values, by the first row and the row after the last."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        import numpy

        item_codes, items = self.codes(item)
        user_codes, users = self.codes(user)
        named = _usable(items), _usable(users)
        kept = numpy.ones(len(item_codes), bool)
        for codes, usable in zip((item_codes, user_codes), named, strict=True):
            if len(usable) == 0:
                kept[:] = False
                continue
            kept &= (codes >= 0) & numpy.asarray(usable, bool)[codes]
        rows, skipped = len(kept), int(len(kept) - kept.sum())
        pairs = item_codes[kept].astype("int64") * max(len(users), 1) + user_codes[kept]
        counted = Counted([], [], rows, skipped)
        if len(users) <= _MOST_COMPARED:
            counted.similar = similar([each for each in users if each])
        width = max(len(users), 1)
        if wanted.items_per_user is None:
            distinct = _unique(pairs)
            many = numpy.bincount(distinct // width, minlength=len(items))
            places = numpy.flatnonzero(many)
        else:
            if wanted.kind == "numbers":
                distinct, copies = numpy.unique(pairs, return_counts=True)
            else:
                distinct = _unique(pairs)
                copies = numpy.ones(len(distinct), "int64")
            many = _bounded(distinct // width, distinct % width, copies, items, users, wanted)
            places = numpy.flatnonzero(many)
        texts = (items[place] for place in places.tolist())
        counted.items, counted.users = [each or "" for each in texts], many[places].tolist()
        return counted

    def fingerprint(self, item: str, user: str) -> str | None:
        rows = len(self)
        count = min(_BLOCKS, -(-rows // _BLOCK)) if rows else 0
        last = max(rows - _BLOCK, 0)
        starts = sorted({last * place // max(count - 1, 1) for place in range(count)})
        places = [(start, min(start + _BLOCK, rows)) for start in starts]
        hashed = hashlib.sha256(f"{rows}\n".encode())
        for column in (item, user):
            for value in self.blocks(column, places):
                hashed.update(json.dumps(text_of(value)).encode())
        return hashed.hexdigest()


def _unique(pairs: Any) -> Any:
    try:
        import pandas
    except ImportError:
        import numpy

        return numpy.unique(pairs)
    return pandas.unique(pairs)  # by a table of hashes, without sorting


def _usable(texts: Sequence[str | None]) -> list[bool]:
    """Neither missing nor empty."""
    return [bool(text) for text in texts]


def _bounded(items: Any, users: Any, copies: Any, item_texts: Sequence[str | None], user_texts: Sequence[str | None], wanted: Wanted) -> Any:
    """How many people have each item, each person cut to the items with the smallest keyed hashes, as `bound_contributions` and `bound_values` do."""
    import numpy

    most = wanted.items_per_user or 1
    is_numbers = wanted.kind == "numbers"
    others: set[int] = set()
    if is_numbers and len(items):
        # What isn't a number doesn't count towards a person's limit.
        numeric = numpy.asarray([_is_number(text) for text in item_texts], bool)[items]
        others = set(items[~numeric].tolist())
        items, users, copies = items[numeric], users[numeric], copies[numeric]
    order = numpy.argsort(users, kind="stable")
    items, users, copies = items[order], users[order], copies[order]
    totals = numpy.bincount(users, weights=copies, minlength=len(user_texts)).astype("int64") if len(users) else numpy.zeros(len(user_texts), "int64")
    light = totals[users] <= most if len(users) else numpy.zeros(0, bool)
    many = numpy.bincount(items[light], weights=copies[light], minlength=len(item_texts)).astype("int64")
    items, users, copies = items[~light], users[~light], copies[~light]
    starts = numpy.flatnonzero(numpy.r_[True, users[1:] != users[:-1]]) if len(users) else numpy.zeros(0, "int64")
    ends = numpy.r_[starts[1:], len(users)] if len(users) else starts  # no one may have more than the limit
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        person = (user_texts[users[start]] or "").encode()
        before = wanted.key + f"{len(person)}:".encode() + person
        hashed: list[tuple[bytes, bytes, int, int]] = []
        for code, times in zip(items[start:end].tolist(), copies[start:end].tolist(), strict=True):
            name = (item_texts[code] or "").encode()
            if is_numbers:
                for copy in range(1, times + 1):
                    hashed.append((hashlib.sha256(before + f"{copy}:".encode() + name).digest(), name, copy, code))
            else:
                hashed.append((hashlib.sha256(before + name).digest(), name, 1, code))
        hashed.sort()
        for _, _, _, code in hashed[:most]:
            many[code] += 1
    many[list(others)] = 1  # they stay in the list, where the engine counts and leaves them out
    return many


def _is_number(text: str | None) -> bool:
    import re

    return text is not None and re.fullmatch(_NUMBER, text) is not None


#: `NUMBER_PATTERN` of winnow-release.
_NUMBER = r"[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,3})?"


class PandasRows(_InMemory):
    format = "pandas data frame"

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __len__(self) -> int:
        return len(self.frame)

    def check(self, *columns: str) -> None:
        _check(self.frame.columns, columns)

    def codes(self, column: str) -> tuple[Any, list[str | None]]:
        import pandas

        series = self.frame[column]
        if series.dtype == object and pandas.api.types.infer_dtype(series, skipna=True) != "string":
            # Each value by itself: 17 and "17" are one item, whatever stands beside them.
            series = pandas.Series([text_of(value) for value in series.tolist()], dtype=object)
        codes, values = pandas.factorize(series, use_na_sentinel=True)
        return codes, [text_of(value) for value in _plain(values)]

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        series = self.frame[column]
        return [value for start, end in places for value in series.iloc[start:end].tolist()]


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

    def codes(self, column: str) -> tuple[Any, list[str | None]]:
        import numpy
        import pyarrow

        values = self.table.column(column)
        if pyarrow.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        encoded = values.dictionary_encode().unify_dictionaries().combine_chunks()
        if isinstance(encoded, pyarrow.ChunkedArray):
            encoded = encoded.chunk(0) if encoded.num_chunks else pyarrow.array([], values.type).dictionary_encode()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return numpy.asarray(codes), [text_of(value) for value in encoded.dictionary.to_pylist()]

    def blocks(self, column: str, places: Sequence[tuple[int, int]]) -> list[Any]:
        values = self.table.column(column)
        return [value for start, end in places for value in values.slice(start, end - start).to_pylist()]


def _check_arrow(column: str, kind: Any) -> None:
    import pyarrow

    types = pyarrow.types
    inner = kind.value_type if types.is_dictionary(kind) else kind
    plain = (types.is_string, types.is_large_string, types.is_string_view, types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    if not any(test(inner) for test in (*plain, types.is_date, types.is_timestamp, types.is_time, types.is_null)):
        raise no_texts(column, kind)


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
        return ArrowRows(self.dataset.to_table(columns=[item, user])).count(item, user, wanted)

    def fingerprint(self, item: str, user: str) -> str | None:
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
            if kind.is_nested() or kind in (polars.Object, polars.Binary):
                raise no_texts(column, kind)

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        import polars

        if wanted.items_per_user is not None:
            # The pairs are cut by a keyed hash of their texts, person by person.
            pairs = self.lazy.select(item, user).collect(engine="streaming")
            return ArrowRows(pairs.to_arrow()).count(item, user, wanted)
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

    def fingerprint(self, item: str, user: str) -> str | None:
        return None if self.is_lazy else ArrowRows(self.frame.select(item, user).to_arrow()).fingerprint(item, user)


def _polars_valid(name: str, kind: Any) -> Any:
    """Neither missing nor empty."""
    import polars

    column = polars.col(name)
    valid = column.is_not_null()
    if kind.is_float():
        return valid & column.is_not_nan()
    return valid & (_polars_plain(name, kind) != "") if kind in (polars.String, polars.Categorical, polars.Enum) else valid


def _polars_plain(name: str, kind: Any) -> Any:
    """Categories as their texts."""
    import polars

    column = polars.col(name)
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
            if any(nested in kind for nested in ("[", "STRUCT", "MAP", "UNION", "BLOB", "BIT", "VARIANT", "GEOMETRY")):
                raise no_texts(column, types[column])

    def count(self, item: str, user: str, wanted: Wanted) -> Counted:
        types = dict(zip(self.relation.columns, map(str, self.relation.types), strict=True))
        names = [_sql_column(name, types[name]) for name in (item, user)]
        if wanted.items_per_user is not None:
            pairs = self.relation.project(f"{names[0]} AS item, {names[1]} AS person").to_arrow_table()
            return ArrowRows(pairs).count("item", "person", wanted)
        valid = " AND ".join(_sql_valid(name, types[column]) for name, column in zip(("item", "person"), (item, user), strict=True))
        inner = f"SELECT {names[0]} AS item, {names[1]} AS person FROM winnow_rows"
        counts = f"""SELECT item, count(*) AS users FROM (
            SELECT DISTINCT item, person FROM ({inner}) WHERE {valid}) GROUP BY item"""
        if wanted.kind == "largest":
            counts += f" QUALIFY rank() OVER (ORDER BY users DESC) <= {int(wanted.rows or 0)}"
        found = self.relation.query("winnow_rows", counts).fetchall()
        items = [text_of(value) or "" for value, _ in found]
        return Counted(items, [many for _, many in found], is_whole=wanted.kind != "largest")

    def fingerprint(self, item: str, user: str) -> str | None:
        return None


def _sql_column(name: str, kind: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    return f"CAST({quoted} AS VARCHAR)" if kind.upper().startswith("ENUM") else quoted


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
        from pyspark.sql import Window
        from pyspark.sql import functions as sql

        rows = self.frame.select(self._text(item).alias("item"), self._text(user).alias("person"))
        rows = rows.where("item IS NOT NULL AND item <> '' AND person IS NOT NULL AND person <> ''")
        if wanted.kind == "numbers":
            copy = Window.partitionBy("person", "item").orderBy("item")
            pairs = rows.where(sql.col("item").rlike(f"^{_NUMBER}$")).withColumn("copy", sql.row_number().over(copy))
            hashed = sql.concat(sql.col("copy").cast("string"), sql.lit(":"), sql.col("item"))
        else:
            pairs = rows.distinct().withColumn("copy", sql.lit(1))
            hashed = sql.col("item")
        if wanted.items_per_user is not None:
            person = sql.concat(sql.octet_length("person").cast("string"), sql.lit(":"), sql.col("person"), hashed)
            mark = sql.sha2(sql.concat(sql.lit(bytearray(wanted.key)), sql.encode(person, "UTF-8")), 256)
            place = sql.row_number().over(Window.partitionBy("person").orderBy(mark, "item", "copy"))
            pairs = pairs.withColumn("place", place).where(sql.col("place") <= wanted.items_per_user)
        counts = pairs.groupBy("item").agg(sql.count(sql.lit(1)).alias("users"))
        if wanted.kind == "largest":
            counts = counts.orderBy(sql.col("users").desc(), sql.col("item")).limit(int(wanted.rows or 0))
        elif wanted.kind == "frequencies":
            counts = counts.groupBy("users").agg(sql.count(sql.lit(1)).alias("items"))
            return _from_frequencies([(row["users"], row["items"]) for row in counts.collect()])
        elif wanted.kind == "listed" and wanted.items is not None:
            listed = self.frame.sparkSession.createDataFrame([(name,) for name in wanted.items], "item string")
            counts = counts.join(sql.broadcast(listed), "item", "left_semi")
        found = counts.collect()
        items, users = [row["item"] for row in found], [row["users"] for row in found]
        return Counted(items, users, is_whole=wanted.kind not in ("largest", "listed"))

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

    def fingerprint(self, item: str, user: str) -> str | None:
        return None


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

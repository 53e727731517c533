"""Files of Parquet, which pyarrow reads and writes. They pass through a table of csv in a temporary folder, a record batch at a
time, so that memory is bounded and all columns are treated as those of a table of csv."""

from __future__ import annotations

import csv
import os
import pathlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Any

from galop import _galop
from galop._choices import AnyKind

_ROWS = 65_536
"""Rows of a record batch that is read."""

_BLOCK = 1 << 20
"""Bytes of a file that are read at a time. pyarrow reads up to 32 blocks of csv ahead."""

_BLOCKS = 16
"""Blocks of csv of a group of rows that is written."""

_HEAD = 50
"""Rows that show whether there is a column of puzzles."""

_NUMBERS = {prefix + name for prefix in ("", "galop_") for name in ("count", "guesses", "nanos")}
"""Columns of galop's that are numbers; its other columns are texts."""


@dataclass(frozen=True)
class Table:
    """A file that galop reads."""

    path: str
    types: dict[str, Any] | None = None
    """The types of the columns of a file of Parquet, whose rows are in ``path`` as csv."""


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether the name is that of a file of Parquet."""
    return os.fspath(path).lower().endswith(".parquet")


def _pyarrow(path: str) -> Any:
    try:
        import pyarrow
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise ImportError(f"{path}: files of Parquet need pyarrow: pip install pyarrow", name="pyarrow") from None
    return pyarrow


@contextmanager
def opened(path: str, kind: AnyKind, alphabet: str | None, rules: _galop.Rules | None = None) -> Iterator[Table]:
    """The file ``path``, or a table of csv with its rows if it is one of Parquet.

    :raises ImportError: without pyarrow.
    :raises OSError: if it cannot be read.
    :raises ValueError: if it is no file of Parquet, has no column of puzzles, or a column that cannot be a column of csv.
    """
    if not is_parquet(path):
        yield Table(path)
        return
    pa = _pyarrow(path)
    with TemporaryDirectory(prefix="galop-") as folder, open(path, "rb") as file:
        table, head = os.path.join(folder, "table.csv"), os.path.join(folder, "head.csv")
        try:
            # Without a buffer of its own, pyarrow reads a group of rows as a whole.
            rows = pa.parquet.ParquetFile(file, buffer_size=_BLOCK, pre_buffer=False)
            schema = _plain(pa, rows.schema_arrow)
            shown = _write(pa, head, schema, islice(rows.iter_batches(_HEAD), 1))
            _write(pa, table, schema, rows.iter_batches(_ROWS))
        except pa.ArrowException as error:
            raise ValueError(f"{path}: {error}") from None
        except OSError as error:
            raise OSError(f"{path}: {error}") from None
        try:
            # Without a column of puzzles the names of the columns are a record, too.
            has_puzzles = len(_galop.read_file(head, kind, alphabet, rules)[1]) == shown
        except ValueError as error:
            reason = str(error).replace(head, path)
            raise ValueError(f"{reason} (the columns are {', '.join(schema.names)})") from None
        if not has_puzzles:
            raise ValueError(f"{path}: no column of puzzles (the columns are {', '.join(schema.names)})")
        try:
            yield Table(table, dict(zip(schema.names, schema.types)))
        except ValueError as error:
            raise ValueError(str(error).replace(table, path)) from None


def _write(pa: Any, path: str, schema: Any, batches: Iterator[Any]) -> int:
    """Writes record batches as csv. Returns the number of rows."""
    rows = 0
    with pa.csv.CSVWriter(path, schema) as writer:
        for batch in batches:
            columns = batch.cast(schema).columns
            if len(columns) == 1 and str(schema.types[0]).endswith("string"):
                # A line without anything is no record.
                columns = [columns[0].fill_null("")]
            writer.write_batch(pa.record_batch(columns, names=schema.names))
            rows += len(batch)
    return rows


def _plain(pa: Any, schema: Any) -> Any:
    """The schema with the columns of categories as columns of their values."""
    fields = []
    for field in schema:
        kind = field.type
        if pa.types.is_nested(kind):
            raise pa.ArrowInvalid(f"the column {field.name} is of the type {kind} (expected texts, numbers, flags or times)")
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        fields.append(field.with_type(pa.large_string() if str(kind) == "string_view" else kind))
    return pa.schema(fields)


def read_file(path: str, kind: AnyKind, alphabet: str | None, rules: _galop.Rules | None) -> Any:
    """The rules, puzzles, solutions and malformed rows of a file."""
    with opened(path, kind, alphabet, rules) as table:
        found, puzzles, solutions, malformed = _galop.read_file(table.path, kind, alphabet, rules)
        return found, puzzles, solutions, [(row, why.replace(table.path, path)) for row, why in malformed]


@contextmanager
def created(path: str, source: Table | None, format: str | None) -> Iterator[str]:
    """The file ``path``, or if it is one of Parquet, a table of csv that becomes ``path`` at the end. The columns of ``source``
    keep their types. After an error there is no file, and one that was there is unchanged.

    :param format: the format of the file, if it is not that of its name.

    :raises ImportError: without pyarrow.
    :raises OSError: if it cannot be written.
    """
    if format is not None or not is_parquet(path):
        yield path
        return
    pa = _pyarrow(path)
    # Beside the file, so that it can be moved to its place.
    with TemporaryDirectory(prefix=".galop-", dir=os.path.dirname(path) or ".") as folder:
        table, whole = os.path.join(folder, "table.csv"), os.path.join(folder, "table.parquet")
        try:
            yield table
        except ValueError as error:
            raise ValueError(str(error).replace(table, path)) from None
        if os.path.getsize(table) == 0:
            pathlib.Path(table).write_text("puzzle\n")
        with open(table, newline="", encoding="utf-8") as text:
            names = next(csv.reader(text))
        types = {name: pa.int64() if name in _NUMBERS else pa.string() for name in names} | ((source and source.types) or {})
        try:
            reader = pa.csv.open_csv(
                table,
                pa.csv.ReadOptions(block_size=_BLOCK),
                pa.csv.ParseOptions(newlines_in_values=True),
                pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False),
            )
            with pa.parquet.ParquetWriter(whole, reader.schema) as writer:
                batches = iter(reader)
                while group := list(islice(batches, _BLOCKS)):
                    writer.write_table(pa.Table.from_batches(group))
        except pa.ArrowInvalid as error:
            raise ValueError(f"{path}: {error}") from None
        os.replace(whole, path)

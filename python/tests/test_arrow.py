"""Structures of the Arrow C data interface, made by hand: each is read where it is, and released once, after errors too."""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pytest

import galop

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
FOUR, FOUR_SOLVED = "12..34....1....2", "1243342123144132"

POINTER, INT64 = ctypes.c_void_p, ctypes.c_int64
RELEASE = ctypes.CFUNCTYPE(None, POINTER)
GET = ctypes.CFUNCTYPE(ctypes.c_int, POINTER, POINTER)
LAST_ERROR = ctypes.CFUNCTYPE(POINTER, POINTER)


class Schema(ctypes.Structure):
    _fields_ = [
        ("format", POINTER),
        ("name", POINTER),
        ("metadata", POINTER),
        ("flags", INT64),
        ("n_children", INT64),
        ("children", POINTER),
        ("dictionary", POINTER),
        ("release", POINTER),
        ("private_data", POINTER),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("length", INT64),
        ("null_count", INT64),
        ("offset", INT64),
        ("n_buffers", INT64),
        ("n_children", INT64),
        ("buffers", POINTER),
        ("children", POINTER),
        ("dictionary", POINTER),
        ("release", POINTER),
        ("private_data", POINTER),
    ]


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", POINTER),
        ("get_next", POINTER),
        ("get_last_error", POINTER),
        ("release", POINTER),
        ("private_data", POINTER),
    ]


Made = TypeVar("Made", Schema, Array, Stream)

NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
NEW_CAPSULE.restype = ctypes.py_object
NEW_CAPSULE.argtypes = [POINTER, ctypes.c_char_p, POINTER]


class Lender:
    """Lends structures and counts how often each is released. What it lends lives as long as it does."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.released: list[str] = []
        self.lent: list[str] = []

    def copied(self, data: bytes, shift: int = 0) -> int:
        """The address of a copy of `data`, that many bytes behind an aligned one."""
        buffer = ctypes.create_string_buffer(b"\0" * shift + data)
        self.kept.append(buffer)
        return ctypes.addressof(buffer) + shift

    def call(self, function: Any) -> int:
        self.kept.append(function)
        return ctypes.cast(function, POINTER).value or 0

    def release(self, kind: type[ctypes.Structure]) -> int:
        def release(address: int) -> None:
            self.released.append(kind.__name__)
            kind.from_address(address).release = None

        self.lent.append(kind.__name__)
        return self.call(RELEASE(release))

    def schema(self, format: bytes = b"u", /, **fields: Any) -> Schema:
        made = Schema(format=self.copied(format + b"\0"), release=self.release(Schema))
        return self.changed(made, fields)

    def array(self, texts: list[str], wide: bool = False, shift: int = 0, **fields: Any) -> Array:
        """An array of the format `u` or `U`. `offsets`, `bytes` and `validity` replace these buffers."""
        data = "".join(texts).encode()
        ends = np.cumsum([0, *map(len, texts)]).tolist()
        offsets = fields.pop("offsets", ends)
        packed = offsets if offsets is None else struct.pack(f"={len(offsets)}{'q' if wide else 'i'}", *offsets)
        buffers = [fields.pop("validity", None), packed, fields.pop("bytes", data)]
        return self.of_buffers(len(texts), buffers, shift, **fields)

    def views(self, views: list[bytes], held: list[bytes], **fields: Any) -> Array:
        """An array of the format `vu`. `sizes` replaces the sizes of the buffers `held`."""
        sizes = fields.pop("sizes", [len(one) for one in held])
        packed = None if sizes is None else struct.pack(f"={len(sizes)}q", *sizes)
        return self.of_buffers(len(views), [fields.pop("validity", None), b"".join(views), *held, packed], **fields)

    def of_buffers(self, length: int, buffers: list[bytes | None], shift: int = 0, /, **fields: Any) -> Array:
        addresses = [0 if one is None else self.copied(one, shift) for one in buffers]
        pointers = self.copied(struct.pack(f"={len(buffers)}Q", *addresses))
        made = Array(length=length, n_buffers=len(buffers), buffers=pointers, release=self.release(Array))
        return self.changed(made, fields)

    def stream(self, schema: Schema | int, arrays: list[Array | int], **fields: Any) -> Stream:
        """A stream that gives copies of these structures, or these codes of errors."""
        left = list(arrays)

        def give(address: int, made: Schema | Array | int) -> int:
            if isinstance(made, int):
                return made
            ctypes.memmove(address, ctypes.addressof(made), ctypes.sizeof(made))
            return 0

        made = Stream(
            get_schema=self.call(GET(lambda stream, address: give(address, schema))),
            get_next=self.call(GET(lambda stream, address: give(address, left.pop(0) if left else Array()))),
            get_last_error=self.call(LAST_ERROR(lambda stream: None)),
            release=self.release(Stream),
        )
        return self.changed(made, fields)

    def changed(self, made: Made, fields: dict[str, Any]) -> Made:
        self.kept.append(made)
        for name, value in fields.items():
            setattr(made, name, value)
        return made

    def capsule(self, structure: ctypes.Structure, name: bytes | None = None) -> Any:
        names = {Schema: b"arrow_schema", Array: b"arrow_array", Stream: b"arrow_array_stream"}
        address = self.copied((name or names[type(structure)]) + b"\0")
        capsule = NEW_CAPSULE(ctypes.addressof(structure), ctypes.cast(address, ctypes.c_char_p), None)
        self.kept.append(capsule)
        return capsule

    def is_released(self) -> bool:
        """Whether all that was lent was released once."""
        return sorted(self.released) == sorted(self.lent)


class Column:
    """An object with `__arrow_c_array__`."""

    def __init__(self, schema: Any, array: Any) -> None:
        self.pair: Any = (schema, array)

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self.pair


class Parts:
    """An object with `__arrow_c_stream__`."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.stream


@pytest.fixture
def lender() -> Lender:
    return Lender()


def column(lender: Lender, schema: Schema, array: Array) -> Column:
    return Column(lender.capsule(schema), lender.capsule(array))


def test_columns_made_by_hand(lender: Lender) -> None:
    texts = [PUZZLE, "", PUZZLE]
    for wide, shift in ((False, 0), (True, 0), (False, 1), (True, 3)):
        array = lender.array(texts, wide, shift, validity=b"\x05", null_count=1)
        found = galop.solve(column(lender, lender.schema(b"U" if wide else b"u"), array))
        assert found.strings() == [SOLUTION, None, SOLUTION] and found.malformed == [(1, "no text")]
    part = lender.array(texts, length=1, offset=2, null_count=-1)
    assert galop.solve(column(lender, lender.schema(b"z"), part)).strings() == [SOLUTION]
    inline, held = FOUR[:12].encode(), PUZZLE.encode()
    view = struct.pack("=i4sii", 81, held[:4], 1, 2)
    short = struct.pack("=i12s", 12, inline)
    array = lender.views([view, short, b"\xff" * 16], [b"", b"--" + held], validity=b"\x03", null_count=1)
    assert galop.solve(column(lender, lender.schema(b"vu"), array)).strings() == [SOLUTION, None, None]
    empty = lender.of_buffers(0, [None, None, None])
    assert len(galop.solve(column(lender, lender.schema(), empty))) == 0
    arrays: list[Array | int] = [lender.array([FOUR]), lender.array([]), lender.array([FOUR] * 2)]
    stream = lender.capsule(lender.stream(lender.schema(), arrays))
    assert galop.solve(Parts(stream)).strings() == [FOUR_SOLVED] * 3
    assert lender.is_released()


def test_consumed_capsules(lender: Lender) -> None:
    calls: list[Callable[[Any], Any]] = [galop.solve, galop.count, galop.verify, galop.rate, galop.canonical, galop.augment]
    for call in calls:
        once = column(lender, lender.schema(), lender.array([PUZZLE]))
        call(once)
        with pytest.raises(ValueError, match="was consumed by another reader"):
            call(once)
    with pytest.raises(ValueError, match="was consumed"):
        galop.verify([PUZZLE], once)
    half = Column(lender.capsule(lender.schema()), once.pair[1])
    with pytest.raises(ValueError, match="was consumed"):
        galop.solve(half)
    stream = Parts(lender.capsule(lender.stream(lender.schema(), [lender.array([PUZZLE])])))
    assert len(galop.solve(stream)) == 1
    with pytest.raises(ValueError, match="was consumed"):
        galop.solve(stream)
    assert lender.is_released()


def test_capsules_that_pyarrow_consumed() -> None:
    pa = pytest.importorskip("pyarrow")
    texts = pa.array([PUZZLE] * 1_000)
    pair = Column(*texts.__arrow_c_array__())
    assert pa.array(pair).equals(texts)
    stream = Parts(pa.chunked_array([texts]).__arrow_c_stream__())
    assert pa.chunked_array(stream).length() == 1_000
    for consumed in (pair, stream):
        with pytest.raises(ValueError, match="was consumed by another reader"):
            galop.solve(consumed)
    # And the other way round.
    pair, stream = Column(*texts.__arrow_c_array__()), Parts(pa.chunked_array([texts]).__arrow_c_stream__())
    assert galop.solve(pair).ok.all() and galop.solve(stream).ok.all()
    with pytest.raises(pa.ArrowInvalid):
        pa.array(pair)


TWO = [PUZZLE, PUZZLE]


@pytest.mark.parametrize("way", ["array", "stream"])
@pytest.mark.parametrize(
    ("format", "make", "words"),
    [
        (b"u", lambda to: to.array(TWO, offsets=None), "The external buffer at position 1 is null"),
        (b"u", lambda to: to.array(TWO, bytes=None), "The external buffer at position 2 is null"),
        (b"U", lambda to: to.array(TWO, True, bytes=None), "The external buffer at position 2 is null"),
        (b"u", lambda to: to.array(TWO, dictionary=ctypes.addressof(to.array([], release=None))), "Got dictionary"),
        (b"vu", lambda to: to.of_buffers(1, [None, None, None]), "The external buffer at position 1 is null"),
    ],
)
def test_damaged_arrays(lender: Lender, format: bytes, make: Callable[[Lender], Array], words: str, way: str) -> None:
    schema, array = lender.schema(format), make(lender)
    lender.lent = ["Schema", "Array"]
    one: Any = column(lender, schema, array)
    if way == "stream":
        one = Parts(lender.capsule(lender.stream(schema, [array])))
    with pytest.raises(ValueError) as raised:
        galop.solve(one)
    assert words in str(raised.value), raised.value
    assert lender.is_released()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda to: to.schema(b""), "is not puzzles ("),
        (lambda to: to.schema(b"?"), "is not puzzles ("),
        (lambda to: to.schema(b"l"), "a column of the Arrow type Int64 (expected strings)"),
        (lambda to: to.schema(b"+s"), "a table (expected one of its columns, of strings)"),
        (lambda to: to.schema(b"i", dictionary=ctypes.addressof(to.schema())), "Dictionary(Int32, Utf8) (expected strings)"),
    ],
)
def test_other_types(lender: Lender, make: Callable[[Lender], Schema], words: str) -> None:
    schema = make(lender)
    lender.lent = ["Schema"]
    with pytest.raises(ValueError) as raised:
        galop.solve(column(lender, schema, lender.array(TWO)))
    assert words in str(raised.value), raised.value
    assert lender.is_released()


def test_errors_of_streams(lender: Lender) -> None:
    def refused(stream: Stream) -> str:
        with pytest.raises(ValueError) as raised:
            galop.solve(Parts(lender.capsule(stream)))
        assert lender.is_released(), (lender.released, lender.lent)
        return str(raised.value)

    text, good = lender.copied(b"the disk is gone\0"), lender.array(TWO)
    words = lender.call(LAST_ERROR(lambda stream: text))
    found = refused(lender.stream(lender.schema(), [good, errno.EIO], get_last_error=words))
    assert f"Error code: {errno.EIO}" in found and "the disk is gone" in found
    assert f"Error code: {errno.EIO}" in refused(lender.stream(lender.schema(), [errno.EIO]))
    assert f"Error code: {errno.EIO}" in refused(lender.stream(lender.schema(), [errno.EIO], get_last_error=None))
    assert f"Error code: {errno.ENOMEM}" in refused(lender.stream(errno.ENOMEM, []))
    assert "get_schema" in refused(lender.stream(errno.ENOMEM, [], get_schema=None))


def test_what_is_no_capsule(lender: Lender) -> None:
    schema, array = lender.capsule(lender.schema()), lender.capsule(lender.array(TWO))
    other = lender.capsule(lender.array(TWO), b"an_array")
    for column, words in (
        (Column(schema, other), "a capsule with another name (expected `arrow_array`)"),
        (Column(array, array), "a capsule with another name (expected `arrow_schema`)"),
        (Parts(array), "a capsule with another name (expected `arrow_array_stream`)"),
        (Parts(None), "Parts is not puzzles ("),
        (Column(1, 2), "Column is not puzzles ("),
    ):
        with pytest.raises(ValueError) as raised:
            galop.solve(column)
        assert words in str(raised.value), raised.value
    short = Column(schema, array)
    short.pair = short.pair[:1]
    with pytest.raises(ValueError, match="length 2"):
        galop.solve(short)

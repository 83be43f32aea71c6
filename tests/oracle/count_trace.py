#!/usr/bin/env python3
"""Counts what a trace file holds, straight from the format: the oracle the reader is compared with.

    python3 tests/oracle/count_trace.py FILE_OR_DIR... [--json]

It shares no code and no design with the C++ reader: whole file in memory, Python's json for well-formed text, a
slow hand-written scanner for text that json refuses, and one plain loop per definition. Slow is fine; being easy
to check against the formats is the point. Times are integer nanoseconds; text such as 1724203468009469.317 goes
through Decimal, never through a double.

Chrome trace events (definitions; `ph` counts by its first character)
  numbers    A ts, dur or counter value is a JSON number or a string that is a number as a whole (".75", "+1.5",
             "050"; no blanks, no hex). Microseconds to ns exactly, half away from zero; outside 63 bits: bad.
  X          One slice. dur missing, null or no number: unfinished. dur < 0: length 0 (`clamped`). ts missing or no
             number: no slice, skipped. Also T with a dur and no id (Perfetto's thread states).
  B/E        Per (pid, tid), in order of ts, file order within a ts. E closes the innermost open B whose name and
             category are equal; a name or category that E lacks (missing, null, "") matches any, one that only B
             lacks does not. Not only the top can be closed. E without B: nothing. B without E: unfinished.
  b/e, S/F   As B/E, but per (cat, scope, id) and by name alone, and S/F per (cat, name, id). id2.local and a missing
             id belong to the pid, id and id2.global to the file. A missing category, or an id "", is a value.
  instants   i I R n T p, always, whatever else is open.
  C          One sample per numeric member of args. No sample: true, "abc", "1.5e", a number that a double cannot hold.
  s t f      Chained per (cat, name, id), in order of ts, within a ts s before t before f (real traces with whole
             microseconds have f and s at one ts, f first in the file), then file order. Arrow from the last s or t
             to every following t or f. t or f before any s: nothing. Both ends have to bind to a slice (X or B/E,
             not gpu_user_annotation) of their (pid, tid), or the arrow is `unbound_flows`: s, t and f with bp "e" to
             the innermost with begin <= ts <= end (an unfinished one never ends); other f to the first that begins
             at or after ts. s, t and f with bp "e" that follow an X or B of the same thread and ts in the file, flow
             events aside, bind to that one.
  launches   An X of a category *_runtime, *_driver or Runtime is a call, one of WORK is work. Those with the same whole
             args.correlation > 0 are joined: each work with the latest call at or before it, else with the first; if
             any of these calls has an s, only those with one count. An s at the begin of such a call and an f at the
             begin of such work say the same and are no arrow of their own. Nor is an f at the begin of a call with that
             correlation, unless there is no such work and an s has that id.
  bind_id    On X, B, b: flow_out only is an s, flow_in only an f, both a t (JSON true only); chained per bind_id
             alone; the ends are the slices themselves.
  pid, tid   Ints, decimal or hex strings as ints, fractions cut off, other strings as they are. pid missing: 0.
             tid missing: equal to the pid. An explicit 0 is thread 0.
  ids        Compared as text after normalising integers: 5, 5.0, "5", "05", "0x5" are equal.
  time base  baseTimeNanoseconds is added to every time. If every ts (but M) is > 5e15, ts and dur are in tenths of
             microseconds; if all lie in 1e12 to 1e13 and every cat ends with "pipeline timeline", in milliseconds.
  bounds     Over slices, instants and counter samples; an unfinished slice counts with its begin. Not flows, not M.
  the rest   M names things; {} is nothing; N O D v V P c ( ) = a ... are skipped, counted by phase.

verl rollout lines: with a finite duration_sec a slice [timestamp - duration, timestamp], else an instant (NaN or
text there is a problem). Naive timestamps are UTC. A line that is no object with `timestamp` and `event` is junk.
"""

import argparse
import bisect
import dataclasses
import datetime
import decimal
import gc
import io
import json
import os
import re
import sys
import zipfile
import zlib
from collections import Counter, defaultdict
from decimal import Decimal

INT64_MAX = 2**63 - 1
WORK = (
    "kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset",
    "cuda_sync", "cuda_event", "mtia_ccp_events", "hpu_op", "collective_comm",
)  # fmt: skip
NUMBER_TEXT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
INTEGER_TEXT = re.compile(r"[+-]?\d+")
HEX_TEXT = re.compile(r"0[xX][0-9a-fA-F]+")


# --------------------------------------------------------------------------------------------------------------
# The result


@dataclasses.dataclass(slots=True)
class Slice:
    """One bar. `end_ns` of an unfinished slice is its begin; `index` is the place of the event in the file."""

    name: str
    cat: str
    pid: object
    tid: object
    begin_ns: int
    end_ns: int
    unfinished: bool
    index: int
    kind: str


@dataclasses.dataclass
class Trace:
    """Everything read from one file. `skipped` counts the events that are in none of the other lists, by reason."""

    path: str = ""
    format: str = "other"
    reason: str = ""
    slices: list = dataclasses.field(default_factory=list)
    instants: list = dataclasses.field(default_factory=list)  # (name, ns)
    counters: list = dataclasses.field(default_factory=list)  # (series, ns, value)
    flows: list = dataclasses.field(default_factory=list)  # (from Slice, to Slice)
    process_names: dict = dataclasses.field(default_factory=dict)
    thread_names: dict = dataclasses.field(default_factory=dict)
    skipped: Counter = dataclasses.field(default_factory=Counter)
    problems: Counter = dataclasses.field(default_factory=Counter)
    requests: set = dataclasses.field(default_factory=set)
    workers: set = dataclasses.field(default_factory=set)
    steps: set = dataclasses.field(default_factory=set)

    def bounds(self):
        """Smallest and largest time of any slice, instant or counter sample; (None, None) when there is none."""
        begins = [s.begin_ns for s in self.slices]
        ends = [s.end_ns for s in self.slices]
        points = [i[1] for i in self.instants] + [c[1] for c in self.counters]
        if not begins and not points:
            return None, None
        return min(begins + points), max(ends + points)

    def unreadable(self):
        """Records that should have become something and could not; a cut archive counts as one. Skipped phases do not count."""
        records = sum(n for reason, n in self.skipped.items() if not reason.startswith("phase "))
        return records + self.problems["gzip_truncated"] + self.problems["gzip_broken"]

    def summary(self):
        begin_ns, end_ns = self.bounds()
        return {
            "path": self.path,
            "format": self.format,
            "reason": self.reason,
            "slices": len(self.slices),
            "unfinished": sum(s.unfinished for s in self.slices),
            "instants": len(self.instants),
            "counters": len(self.counters),
            "flows": len(self.flows),
            "begin_ns": begin_ns,
            "end_ns": end_ns,
            "unreadable": self.unreadable(),
            "skipped": dict(sorted(self.skipped.items())),
            "problems": dict(sorted(self.problems.items())),
            "requests": len(self.requests),
            "workers": sorted(self.workers),
            "steps": sorted(self.steps),
        }


# --------------------------------------------------------------------------------------------------------------
# Bytes to text


def inflate(data):
    """All members of a gzip file; what inflates before the damage when it is cut or broken. -> (bytes, problem)"""
    out = io.BytesIO()
    while data:
        if not data.strip(b"\0"):
            break  # zero padding after the last member, as tar and some object stores leave it
        stream = zlib.decompressobj(wbits=31)
        try:
            out.write(stream.decompress(data))
        except zlib.error:
            return out.getvalue(), "gzip_broken"
        if not stream.eof:
            return out.getvalue(), "gzip_truncated"
        data = stream.unused_data
    return out.getvalue(), None


def read_text(path, problems):
    """The text of a plain, gzip or zip file. Undecodable bytes become U+FFFD, as a viewer has to show something."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read(archive.namelist()[0])
    if data[:2] == b"\x1f\x8b":
        data, problem = inflate(data)
        if problem:
            problems[problem] += 1
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    text = data.decode("utf-8", "replace")
    return text[1:] if text.startswith("\ufeff") else text


# --------------------------------------------------------------------------------------------------------------
# Text to events


class Truncated(Exception):
    """The text ends inside a value."""


class Broken(Exception):
    """The text at this place is not JSON and no rule below says what was meant."""


# Keys an event may carry itself. Inside an event, a quote ends a value when one of these follows: this is what
# recovers names such as "{"device": "cpu", "dtype": "x"}(12): run" whose quotes were not escaped.
EVENT_KEYS = (
    "ph|cat|name|pid|tid|ts|dur|tts|tdur|args|id|id2|scope|bp|s|sf|esf|stack|estack|cname|bind_id|flow_in|flow_out"
)
SPACE = re.compile(r"[ \t\r\n]*")
SPACE_AND_COMMAS = re.compile(r"[ \t\r\n,]*")
BARE_TOKEN = re.compile(r"[^\s,\]}]+")
EVENT_START = re.compile(r'\{\s*"(?:' + EVENT_KEYS + r')"\s*:')
AFTER_EVENT_STRING = re.compile(
    r'\s*(?:,\s*(?:"(?:' + EVENT_KEYS + r')"\s*:|tid"\s*:|\})|\}\s*(?:[,\]}{]|$)|$)', re.ASCII
)
AFTER_INNER_STRING = re.compile(r'\s*(?:[}\]]|,\s*[}\]]|,\s*"[^"]*"\s*:|$)')
AFTER_ARRAY_STRING = re.compile(r'\s*(?:[}\]]|,\s*["\d\[{}\]tfnNI-]|$)')
DEEPEST = 64

STRICT = json.JSONDecoder(parse_float=Decimal, strict=False)


class Scanner:
    """Reads trace text that json refuses, event by event, keeping every event it can make out."""

    def __init__(self, text, trace):
        self.text = text
        self.pos = 0
        self.trace = trace
        self.events = []
        self.top = {}
        self.is_trace = False

    def run(self):
        """Roots one after the other: containers, arrays of events, or bare events (one per line)."""
        while True:
            self.skip(SPACE_AND_COMMAS)
            if self.pos >= len(self.text):
                return
            start = self.pos
            try:
                if self.peek() == "{":
                    self.root_object()
                elif self.peek() == "[":
                    self.pos += 1
                    self.event_array()
                else:
                    raise Broken
            except Truncated:
                self.trace.problems["truncated"] += 1
                return
            except Broken:
                self.trace.problems["broken_root"] += 1
                if not self.resync(max(self.pos, start + 1)):
                    return

    def root_object(self):
        value, end = strict_value(self.text, self.pos)
        if value is not None:
            self.pos = end
            self.take_root(value)
            return
        self.pos += 1
        members = {}
        while True:
            self.skip(SPACE_AND_COMMAS)
            if self.peek() == "}":
                self.pos += 1
                break
            key = self.key()
            if key == "traceEvents" and self.peek() == "[":
                self.is_trace = True
                self.pos += 1
                self.event_array()
                continue
            value = self.value(AFTER_EVENT_STRING if "ph" in members else AFTER_INNER_STRING, 1)
            members[key] = value
            if not isinstance(value, (dict, list)):
                self.top.setdefault(key, value)
        if "ph" in members:
            self.is_trace = True
            self.events.append(members)

    def take_root(self, value):
        if isinstance(value.get("traceEvents"), list):
            self.is_trace = True
            self.events.extend(value["traceEvents"])
            for key, member in value.items():
                if key != "traceEvents":
                    self.top.setdefault(key, member)
        elif "ph" in value:
            self.is_trace = True
            self.events.append(value)
        elif value:
            self.top.update(value)

    def event_array(self):
        while True:
            self.skip(SPACE_AND_COMMAS)
            char = self.peek()
            if char == "]":
                self.pos += 1
                return
            value, end = strict_value(self.text, self.pos)
            if end is not None:
                self.pos = end
                self.events.append(value)
                continue
            start = self.pos
            try:
                self.events.append(self.value(AFTER_EVENT_STRING, 0))
                self.trace.problems["repaired"] += 1
            except Broken:
                self.trace.skipped["broken"] += 1
                if not self.resync(max(self.pos, start + 1)):
                    raise Truncated from None
            except Truncated:
                if self.resync(start + 1):
                    self.trace.skipped["broken"] += 1
                    continue
                self.trace.skipped["cut"] += 1
                raise

    def resync(self, start):
        match = EVENT_START.search(self.text, start)
        if match:
            self.pos = match.start()
        return match is not None

    def skip(self, pattern):
        self.pos = pattern.match(self.text, self.pos).end()

    def peek(self):
        if self.pos >= len(self.text):
            raise Truncated
        return self.text[self.pos]

    def value(self, after_string, depth):
        self.skip(SPACE)
        char = self.peek()
        if char == '"':
            self.pos += 1
            return self.string(after_string)
        if char in "{[" and depth > DEEPEST:
            return self.skip_nested()
        if char == "{":
            self.pos += 1
            return self.object(AFTER_EVENT_STRING if depth == 0 else AFTER_INNER_STRING, depth)
        if char == "[":
            self.pos += 1
            return self.array(depth)
        return self.scalar()

    def object(self, after_string, depth):
        members = {}
        while True:
            self.skip(SPACE_AND_COMMAS)
            if self.peek() == "}":
                self.pos += 1
                return members
            key = self.key()
            members[key] = self.value(after_string, depth + 1)

    def array(self, depth):
        items = []
        while True:
            self.skip(SPACE_AND_COMMAS)
            if self.peek() == "]":
                self.pos += 1
                return items
            items.append(self.value(AFTER_ARRAY_STRING, depth + 1))

    def key(self):
        """Up to the colon; the opening quote may be missing (an old autograd exporter wrote `tid": 0`)."""
        colon = self.text.find(":", self.pos)
        if colon < 0:
            raise Truncated
        key = self.text[self.pos : colon].strip().strip('"')
        if any(c in key for c in '{}[]"\n'):
            raise Broken
        self.pos = colon + 1
        self.skip(SPACE)
        return key

    def string(self, after):
        out = []
        while True:
            char = self.peek()
            self.pos += 1
            if char == '"' and after.match(self.text, self.pos):
                return "".join(out)
            if char == "\\" and self.pos < len(self.text):
                escaped = self.text[self.pos]
                self.pos += 1
                out.append(escaped if escaped in '"\\/' else "\\" + escaped)
            else:
                out.append(char)

    def scalar(self):
        match = BARE_TOKEN.match(self.text, self.pos)
        if not match:
            raise Broken
        self.pos = match.end()
        if self.pos == len(self.text):
            raise Truncated
        token = match.group()
        if token in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[token]
        return number(token)

    def skip_nested(self):
        depth = 0
        for match in re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL).finditer(self.text, self.pos):
            char = match.group()
            depth += (char in "[{") - (char in "]}")
            if depth == 0:
                self.pos = match.end()
                return None
        raise Truncated


def strict_value(text, pos):
    """(value, end) of the well-formed JSON value at `pos`, (None, None) when it is not well formed."""
    try:
        return STRICT.raw_decode(text, pos)
    except (ValueError, RecursionError, StopIteration):
        return None, None


def parse_events(text, trace):
    """-> (events, other top-level members) or None when the text is no trace."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        root = json.loads(text, parse_float=Decimal, strict=False)
    except (ValueError, RecursionError):
        scanner = Scanner(text, trace)
        scanner.run()
        events, top, is_trace = scanner.events, scanner.top, scanner.is_trace
    else:
        is_container = isinstance(root, dict)
        events = root.get("traceEvents", [root] if "ph" in root else None) if is_container else root
        top = root if is_container else {}
        is_trace = is_container and isinstance(root.get("traceEvents"), list)
    if not isinstance(events, list):
        return None
    if not is_trace and not any(isinstance(e, dict) and "ph" in e for e in events):
        return None
    return events, top


# --------------------------------------------------------------------------------------------------------------
# Values


def number(value):
    """int or Decimal of a JSON number or of a string that is a number as a whole; None otherwise."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, Decimal)):
        return value
    if isinstance(value, str) and NUMBER_TEXT.fullmatch(value):
        return Decimal(value)
    return None


def to_ns(micros, digits=3):
    """Exact nanoseconds, half away from zero; None when it does not fit 63 bits. `digits`: see unit_digits."""
    if isinstance(micros, int):
        ns = micros * 10**digits
    else:
        exact = Decimal(micros).scaleb(digits)
        if abs(exact) > INT64_MAX:
            return None
        ns = int(exact.to_integral_value(decimal.ROUND_HALF_UP))
    return ns if abs(ns) <= INT64_MAX else None


def text(value):
    """A name, category or scope; a missing one is ''. Numbers are taken by their text."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return str(value)
    return ""


def process_or_thread(value, missing):
    """An int, or a string that is a name. "16" and "0x10" are the int 16; 16.9 is 16; missing or odd is `missing`."""
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list, float)):
        return missing
    if isinstance(value, int):
        return value
    if isinstance(value, Decimal):
        return int(value)
    if INTEGER_TEXT.fullmatch(value):
        return int(value)
    return int(value, 16) if HEX_TEXT.fullmatch(value) else value


def id_text(value):
    """Ids compare as text after normalising integers: 5, "5", "05" and "0x5" are one id, "8780d402" is its own."""
    if isinstance(value, str):
        if INTEGER_TEXT.fullmatch(value):
            return str(int(value))
        return str(int(value, 16)) if HEX_TEXT.fullmatch(value) else value
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return str(int(value))
    return text(value)


def event_id(event, pid):
    """(id, owner): owner is the pid for id2.local and for events that name no id, None for a global id."""
    id2 = event.get("id2")
    if isinstance(id2, dict):
        if id2.get("local") is not None:
            return id_text(id2["local"]), pid
        if id2.get("global") is not None:
            return id_text(id2["global"]), None
    if event.get("id") is not None:
        return id_text(event["id"]), None
    return "", pid


def counter_value(value):
    """The sample, or None: booleans, non-numeric text and what a double cannot hold are no samples."""
    value = number(value)
    if value is None:
        return None
    try:
        as_double = float(value)
    except OverflowError:
        return None
    return as_double if as_double - as_double == 0 else None


# --------------------------------------------------------------------------------------------------------------
# Chrome trace events


@dataclasses.dataclass(slots=True)
class Event:
    """What pairing needs of an event."""

    phase: str
    name: str
    cat: str
    pid: object
    tid: object
    ns: int
    index: int
    raw: dict
    slice: object = None
    last: object = None  # the X or B right before it, flow events aside


class ChromeTrace:
    """Turns the events of one file into slices, instants, counter samples and arrows."""

    def __init__(self, trace, events, top):
        self.trace = trace
        self.events = events
        self.base_ns = number(top.get("baseTimeNanoseconds"))
        self.base_ns = int(self.base_ns) if self.base_ns is not None else 0
        self.digits = unit_digits(events)
        if self.digits != 3:
            trace.problems["other_unit"] += 1
        self.nested = []  # B and E
        self.async_nestable = []  # b and e
        self.async_legacy = []  # S and F
        self.flow_ends = []  # s, t and f
        self.bound_flows = []  # events with bind_id
        self.calls, self.work = defaultdict(list), defaultdict(list)  # by correlation
        self.last = None  # the X or B that the last event was, flow events aside

    def run(self):
        for index, raw in enumerate(self.events):
            self.take(index, raw)
        self.pair_nested()
        self.pair_async(self.async_nestable, lambda e: (e.cat, text(e.raw.get("scope")), *event_id(e.raw, e.pid)))
        self.pair_async(self.async_legacy, lambda e: (e.cat, e.name, *event_id(e.raw, e.pid)))
        self.connect_flow_ends()
        self.connect_bound_flows()

    def take(self, index, raw):
        """Sorts one event into the list of its phase. Only the first character of `ph` counts."""
        skipped = self.trace.skipped
        if not isinstance(raw, dict):
            skipped["not an object"] += 1
            return
        if not raw:
            return
        phase = raw.get("ph")
        if not isinstance(phase, str) or not phase:
            skipped["no phase"] += 1
            return
        phase = phase[0]
        if phase not in "stf":
            self.last = None
        if phase == "M":
            self.metadata(raw)
            return
        is_thread_state = phase == "T" and "dur" in raw and "id" not in raw and "id2" not in raw
        if phase not in "XBEbenSTpFiIRCstf":
            skipped["phase " + phase] += 1
            return
        ns = self.time(raw.get("ts"))
        if ns is None:
            skipped["no ts" if raw.get("ts") is None else "bad ts"] += 1
            return
        pid = process_or_thread(raw.get("pid"), 0)
        tid = process_or_thread(raw.get("tid"), pid)
        event = Event(phase, text(raw.get("name")), text(raw.get("cat")), pid, tid, ns, index, raw)
        event.last = self.last
        if phase in "XB":
            self.last = event
        if phase == "X":
            self.correlate(event)
        if phase == "X" or is_thread_state:
            self.complete(event)
        elif phase in "iIRnTp":
            self.trace.instants.append((event.name, ns))
        elif phase == "C":
            self.counter(event)
        elif phase in "BE":
            self.nested.append(event)
        elif phase in "be":
            self.async_nestable.append(event)
        elif phase in "SF":
            self.async_legacy.append(event)
        else:
            self.flow_ends.append(event)
        if phase in "XBb" and raw.get("bind_id") is not None:
            self.bound_flows.append(event)

    def time(self, value):
        micros = number(value)
        ns = to_ns(micros, self.digits) if micros is not None else None
        if ns is None or abs(ns + self.base_ns) > INT64_MAX:
            return None
        return ns + self.base_ns

    def metadata(self, raw):
        args = raw.get("args")
        name = args.get("name") if isinstance(args, dict) else None
        pid = process_or_thread(raw.get("pid"), 0)
        if raw.get("name") == "process_name" and name is not None:
            self.trace.process_names[pid] = text(name)
        elif raw.get("name") == "thread_name" and name is not None:
            self.trace.thread_names[pid, process_or_thread(raw.get("tid"), pid)] = text(name)

    def add_slice(self, event, end_ns, kind):
        """`end_ns` None: never closed."""
        bar = Slice(
            event.name,
            event.cat,
            event.pid,
            event.tid,
            event.ns,
            event.ns if end_ns is None else end_ns,
            end_ns is None,
            event.index,
            kind,
        )
        event.slice = bar
        self.trace.slices.append(bar)

    def complete(self, event):
        """X. A negative dur is drawn as length 0, a dur that is missing or no number leaves the slice unfinished."""
        value = event.raw.get("dur")
        micros = number(value)
        dur = to_ns(micros, self.digits) if micros is not None else None
        if dur is None:
            self.trace.problems["no dur" if value is None else "bad dur"] += 1
        elif dur < 0:
            self.trace.problems["clamped"] += 1
            dur = 0
        elif event.ns + dur > INT64_MAX:
            self.trace.problems["bad dur"] += 1
            dur = None
        self.add_slice(event, None if dur is None else event.ns + dur, event.phase)

    def correlate(self, event):
        args = event.raw.get("args")
        correlation = number(args.get("correlation")) if isinstance(args, dict) else None
        if correlation is None or correlation <= 0 or correlation != int(correlation):
            return
        if event.cat.endswith(("_runtime", "_driver")) or event.cat == "Runtime":
            self.calls[int(correlation)].append(event)
        elif event.cat in WORK:
            self.work[int(correlation)].append(event)

    def counter(self, event):
        args = event.raw.get("args")
        samples = 0
        for key, value in args.items() if isinstance(args, dict) else ():
            value = counter_value(value)
            if value is not None:
                samples += 1
                self.trace.counters.append(((event.pid, event.name, key), event.ns, value))
        if samples == 0:
            self.trace.problems["counter without value"] += 1

    def pair_nested(self):
        """B/E per thread. E closes the innermost open B of equal name and category; what E omits matches anything."""
        open_by_thread = defaultdict(list)
        for event in in_time_order(self.nested):
            stack = open_by_thread[event.pid, event.tid]
            if event.phase == "B":
                stack.append(event)
                continue
            for place in reversed(range(len(stack))):
                begin = stack[place]
                if event.name in ("", begin.name) and event.cat in ("", begin.cat):
                    self.add_slice(stack.pop(place), event.ns, "B")
                    break
            else:
                self.trace.problems["unmatched_end"] += 1
        self.add_unclosed(open_by_thread)

    def pair_async(self, events, key_of):
        """b/e and S/F: per key, the end closes the innermost open begin of equal name; a missing name matches any."""
        open_by_key = defaultdict(list)
        for event in in_time_order(events):
            stack = open_by_key[key_of(event)]
            if event.phase in "bS":
                stack.append(event)
                continue
            for place in reversed(range(len(stack))):
                if event.name in ("", stack[place].name):
                    self.add_slice(stack.pop(place), event.ns, "async")
                    break
            else:
                self.trace.problems["unmatched_end"] += 1
        self.add_unclosed(open_by_key)

    def add_unclosed(self, open_events):
        for stack in open_events.values():
            for event in stack:
                self.trace.problems["unclosed"] += 1
                self.add_slice(event, None, "B" if event.phase == "B" else "async")

    def connect_flow_ends(self):
        """Version 1: s, t and f events that lie inside slices, chained per (cat, name, id) in time order."""
        lanes = Lanes(self.trace.slices)
        chains = defaultdict(list)
        said = {}  # the flow key of a call's s, by the index of the call
        started = {number(event.raw.get("id")) for event in self.flow_ends if event.phase == "s"}
        for event in self.flow_ends:
            if event.raw.get("id") is None and not isinstance(event.raw.get("id2"), dict):
                self.trace.skipped["flow without id"] += 1
                continue
            key = event.cat, event.name, event_id(event.raw, event.pid)
            correlation = number(event.raw.get("id"))
            same_place = lambda end: (end.pid, end.tid, end.ns) == (event.pid, event.tid, event.ns)
            calls = list(filter(same_place, self.calls.get(correlation, ())))
            work = list(filter(same_place, self.work.get(correlation, ())))
            both = correlation in self.calls and correlation in self.work
            if event.phase == "s" and calls and both:
                said[next((c for c in calls if c is event.last), calls[0]).index] = key
                continue
            # Flow events may also lead from one call to another.
            among_calls = not both and correlation in started
            if event.phase == "f" and ((calls and not among_calls) or (work and both)):
                continue
            if event.phase == "f" and event.raw.get("bp") != "e":
                event.slice = lanes.next_from(event.pid, event.tid, event.ns)
            elif event.last and same_place(event.last):
                event.slice = event.last.slice
            else:
                event.slice = lanes.enclosing(event.pid, event.tid, event.ns)
            chains[key].append((event.phase, event))
        self.connect_launches(chains, said)
        self.connect(chains)

    def connect_launches(self, chains, said):
        for correlation in self.calls.keys() & self.work.keys():
            calls = sorted(self.calls[correlation], key=lambda call: call.ns)
            calls = [call for call in calls if call.index in said] or calls
            for work in self.work[correlation]:
                before = [call for call in calls if call.ns <= work.ns]
                self.trace.flows.append(((before or calls[:1])[-1].slice, work.slice))
            key = said.get(calls[0].index)
            if key in chains:  # other flow events end the same flow elsewhere
                begin = dataclasses.replace(calls[0], ns=-INT64_MAX)
                chains[key].append(("s", begin))

    def connect_bound_flows(self):
        """Version 2: slices whose own record says that a flow enters or leaves them, chained per bind_id."""
        chains = defaultdict(list)
        for event in self.bound_flows:
            comes_in = event.raw.get("flow_in") is True
            goes_out = event.raw.get("flow_out") is True
            if comes_in or goes_out:
                role = "t" if comes_in and goes_out else "s" if goes_out else "f"
                chains[id_text(event.raw["bind_id"])].append((role, event))
        self.connect(chains)

    def connect(self, chains):
        """s -> t -> t -> f; several f after one s or t each get an arrow from it; t and f without an s are ignored."""
        for ends in chains.values():
            source = None
            ends.sort(key=lambda end: (end[1].ns, "stf".index(end[0]), end[1].index))
            for role, event in ends:
                if role != "s" and source is None:
                    self.trace.problems["unmatched_flow_end"] += 1
                    continue
                if role != "s":
                    if source.slice is None or event.slice is None:
                        self.trace.problems["unbound_flows"] += 1
                    else:
                        self.trace.flows.append((source.slice, event.slice))
                if role != "f":
                    source = event


class Lanes:
    """The slices a flow end may bind to, by thread: X and B/E, without kineto's annotations of GPU lanes."""

    def __init__(self, slices):
        self.by_thread = defaultdict(list)
        for bar in slices:
            if bar.kind in "XB" and bar.cat != "gpu_user_annotation":
                self.by_thread[bar.pid, bar.tid].append(bar)
        self.begins = {}
        self.latest_end = {}
        for key, bars in self.by_thread.items():
            # Within one begin the longest first: the last one that encloses a time is the innermost.
            bars.sort(key=lambda b: (b.begin_ns, -closed_end(b), b.index))
            self.begins[key] = [b.begin_ns for b in bars]
            latest = -INT64_MAX
            ends = self.latest_end[key] = []
            for bar in bars:
                latest = max(latest, closed_end(bar))
                ends.append(latest)

    def enclosing(self, pid, tid, ns):
        """The innermost slice with begin <= ns <= end, or None."""
        key = (pid, tid)
        place = bisect.bisect_right(self.begins.get(key, ()), ns) - 1
        while place >= 0 and self.latest_end[key][place] >= ns:
            bar = self.by_thread[key][place]
            if closed_end(bar) >= ns:
                return bar
            place -= 1
        return None

    def next_from(self, pid, tid, ns):
        """The outermost slice that begins exactly at ns, else the first one that begins later, or None."""
        key = (pid, tid)
        place = bisect.bisect_left(self.begins.get(key, ()), ns)
        return self.by_thread[key][place] if place < len(self.begins.get(key, ())) else None


def closed_end(bar):
    """An unfinished slice encloses everything after its begin."""
    return INT64_MAX if bar.unfinished else bar.end_ns


def in_time_order(events):
    return sorted(events, key=lambda e: (e.ns, e.index))


def unit_digits(events):
    """A ts counts 10**this nanoseconds. Some Ray versions multiplied seconds by 10e6: every ts lies beyond the year 2128, and
    is in tenths of microseconds. Paddle's dygraph profiler writes milliseconds since the epoch."""
    events = [e for e in events if isinstance(e, dict) and e.get("ph") != "M"]
    times = [t for t in (number(e.get("ts")) for e in events) if t is not None]
    if times and min(times) > 5 * 10**15:
        return 2
    if times and 10**12 <= min(times) < 10**13 and all(str(e.get("cat")).endswith("pipeline timeline") for e in events):
        return 6
    return 3


# --------------------------------------------------------------------------------------------------------------
# verl rollout logs

TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:(Z)|([+-])(\d\d):?(\d\d))?"
)
EPOCH = datetime.datetime(1970, 1, 1)


def timestamp_ns(value):
    """Nanoseconds since the epoch of an ISO time; one without a zone is taken as UTC. None when it is no time."""
    match = TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return None
    try:
        seconds = int((datetime.datetime(*map(int, match.groups()[:6])) - EPOCH).total_seconds())
    except ValueError:
        return None
    if match[9]:
        offset = int(match[10]) * 3600 + int(match[11]) * 60
        seconds -= offset if match[9] == "+" else -offset
    return seconds * 10**9 + int((match[7] or "0").ljust(9, "0"))


def is_rollout_line(record):
    return isinstance(record, dict) and isinstance(record.get("event"), str) and "timestamp" in record


def parse_line(line):
    try:
        return json.loads(line, parse_float=Decimal, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return None


def looks_like_rollout(path, content):
    lines = [line for line in content.split("\n", 50)[:50] if line.strip()]
    if not lines:
        return re.fullmatch(r"worker_-?\d+\.jsonl", os.path.basename(path)) is not None
    return any(is_rollout_line(parse_line(line)) for line in lines)


def read_rollout(trace, path, content):
    """One line, one event, stamped at its end: with duration_sec a slice, without one an instant."""
    for line in content.split("\n"):
        if not line.strip():
            continue
        # A complete record counts even if other text precedes it on its line.
        places = [at.start() for at in re.finditer(r"\{", line)]
        record = next((r for r in (parse_line(line[at:]) for at in places[:50]) if is_rollout_line(r)), None)
        if record is None:
            trace.skipped["junk line"] += 1
            continue
        end_ns = timestamp_ns(record["timestamp"])
        if end_ns is None:
            trace.skipped["bad timestamp"] += 1
            continue
        take_rollout_event(trace, record, end_ns)
        extra = record.get("extra")
        if isinstance(extra, dict) and isinstance(extra.get("request_id"), str):
            trace.requests.add(extra["request_id"])
        for key, known in (("workid", trace.workers), ("worker", trace.workers), ("step", trace.steps)):
            if isinstance(record.get(key), int):
                known.add(record[key])
    match = re.search(r"worker_(-?\d+)\.jsonl$", path)
    if match and not trace.workers:
        trace.workers.add(int(match[1]))
    match = re.search(r"step_(-?\d+)[/\\][^/\\]*$", path)
    if match and not trace.steps:
        trace.steps.add(int(match[1]))


def take_rollout_event(trace, record, end_ns):
    duration = record.get("duration_sec")
    is_number = isinstance(duration, (int, Decimal)) and not isinstance(duration, bool)
    dur = to_ns(Decimal(duration).scaleb(6)) if is_number else None
    if dur is None:
        if duration is not None:
            trace.problems["bad duration"] += 1
        trace.instants.append((record["event"], end_ns))
        return
    if dur < 0:
        trace.problems["clamped"] += 1
        dur = 0
    worker = record.get("workid", record.get("worker"))
    index = len(trace.slices)
    trace.slices.append(Slice(record["event"], "", worker, 0, end_ns - dur, end_ns, False, index, "rollout"))


# --------------------------------------------------------------------------------------------------------------
# Files and the command


def read_trace(path):
    """Everything in one file. A file that is no trace gives format "other" and a reason."""
    trace = Trace(path=path)
    content = read_text(path, trace.problems)
    if looks_like_rollout(path, content):
        trace.format = "verl_rollout"
        read_rollout(trace, path, content)
        return trace
    parsed = parse_events(content, trace)
    if parsed is None:
        trace.reason = "empty file" if not content.strip() else "no trace events and no rollout lines"
        trace.problems.clear()
        trace.skipped.clear()
        return trace
    trace.format = "chrome_json"
    ChromeTrace(trace, *parsed).run()
    return trace


def files_below(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for directory, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                yield os.path.join(directory, name)


COLUMNS = ("slices", "instants", "counters", "flows")


def print_table(summaries):
    print(f"{'slices':>9} {'instants':>8} {'counters':>8} {'flows':>7} {'begin_ns':>20} {'end_ns':>20}  file")
    for s in summaries:
        counts = f"{s['slices']:9} {s['instants']:8} {s['counters']:8} {s['flows']:7}"
        print(f"{counts} {s['begin_ns'] or 0:20} {s['end_ns'] or 0:20}  {s['path']} [{s['format']}]")
        notes = [f"{n} {kind}" for kind, n in {**s["skipped"], **s["problems"]}.items()]
        if s["reason"]:
            notes.insert(0, s["reason"])
        if s["requests"]:
            notes.append(f"{s['requests']} requests, workers {s['workers']}, steps {s['steps']}")
        if notes:
            print(f"{'':11}{'; '.join(notes)}")
    total = total_of(summaries)
    print(" ".join(f"{total[c]:{w}}" for c, w in zip(COLUMNS, (9, 8, 8, 7))) + f"  total of {len(summaries)} files")


def total_of(summaries):
    return {column: sum(s[column] for s in summaries) for column in COLUMNS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", metavar="FILE_OR_DIR")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    options = parser.parse_args()
    gc.disable()  # millions of small objects and no cycles: the collector would only cost time
    summaries = [read_trace(path).summary() for path in files_below(options.paths)]
    if options.json:
        json.dump({"files": summaries, "total": total_of(summaries)}, sys.stdout, indent=1)
        print()
    else:
        print_table(summaries)


if __name__ == "__main__":
    main()

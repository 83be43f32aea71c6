"""Counts what a Perfetto trace holds: the oracle for .pftrace files, made from the field numbers of
protos/perfetto/trace (github.com/google/perfetto) with a plain loop, no schema and nothing of the C++ reader.

  slices     One per event of type BEGIN. An END closes the innermost open BEGIN of its track, in order of time (file
             order within a time); an END without a BEGIN is ignored. Bounds as in count_trace.py.
  counters   One sample per finite counter_value, and per extra value that a track is named for.
  flows      Per id, in order of time: the first begins an arrow, the others end one and begin the next, until one that
             says it is the last. An arrow's end is the slice that begins or ends there.
  times      Converted to boottime by the last snapshot before the packet that has both clocks, else by the first one
             that has; to the epoch by REALTIME.

Not read: legacy events (from JSON), events from before Perfetto had tracks, clocks that only several snapshots
together convert, and what traceview's own export adds.
"""

import math
import struct
import zlib
from collections import defaultdict

import count_trace

BOOTTIME, REALTIME = 6, 1


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """number -> values in the order of the message: ints, 8 or 4 raw bytes, or bytes."""
    found, at = defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        size = {1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = (size, at) if size else varint(data, at)
            value, at = data[at : at + size], at + size
        found[tag >> 3].append(value)
    return found


def packets(data):
    for packet in map(fields, fields(data)[1]):
        for folded in packet[50]:
            yield from packets(zlib.decompress(folded))
        yield packet


def packed(values, width=0):
    """The values of a repeated number field, packed or not."""
    out = []
    for value in values:
        while isinstance(value, bytes) and value and not width:
            one, end = varint(value, 0)
            out.append(one)
            value = value[end:]
        if width:
            out += [value[i : i + 8] for i in range(0, len(value), 8)]
        elif isinstance(value, int):
            out.append(value)
    return out


class Clocks:
    def __init__(self):
        self.snapshots, self.units, self.last, self.to_wall = [], {}, {}, 0

    def add(self, sequence, message):
        readings = {}
        for clock in map(fields, message[1]):
            key = self.key(sequence, clock[1][0])
            self.last[key], unit = clock[2][0], (clock[4] or [1])[0]
            self.units[key] = unit, bool(clock[3] and clock[3][0])
            readings[key] = clock[2][0] * unit
        self.snapshots.append(readings)
        boot, real = (readings.get((0, clock)) for clock in (BOOTTIME, REALTIME))
        if not self.to_wall and None not in (boot, real):
            self.to_wall = real - boot

    def key(self, sequence, clock):
        return (sequence if 64 <= clock < 128 else 0), clock

    def time(self, sequence, clock, timestamp):
        key = self.key(sequence, clock)
        unit, counts_on = self.units.get(key, (1, False))
        if counts_on:
            timestamp = self.last[key] = self.last[key] + timestamp
        if clock == BOOTTIME:
            return timestamp
        both = [s for s in self.snapshots if key in s and (0, BOOTTIME) in s]
        near = [s for s in both if s[key] <= timestamp * unit][-1:] or both[:1]
        return near[0][0, BOOTTIME] + timestamp * unit - near[0][key] if near else None


def events_of(data, trace, clocks):
    """-> (time, event, track, extra tracks) in the order of the file"""
    defaults = defaultdict(lambda: defaultdict(list))
    for packet in packets(data):
        sequence = (packet[10] or [0])[0]
        if packet[41] or (packet[13] and packet[13][0] & 1):
            defaults.pop(sequence, None)
        for message in packet[59]:
            defaults[sequence] = fields(message)
        for message in packet[6]:
            clocks.add(sequence, fields(message))
        usual = fields((defaults[sequence][11] or [b""])[0])
        for event in map(fields, packet[11]):
            clock = (packet[58] or defaults[sequence][58] or [BOOTTIME])[0]
            time = clocks.time(sequence, clock, packet[8][0])
            if time is None:
                trace.skipped["no such clock"] += 1
                continue
            yield time, event, (event[11] or usual[11] or [0])[0], [event[n] or usual[n] for n in (31, 45)]


def read_trace(path):
    trace, clocks, points = count_trace.Trace(path=path, format="perfetto"), Clocks(), []
    open_by_track = defaultdict(list)
    with open(path, "rb") as file:
        events = list(events_of(file.read(), trace, clocks))
    for index, (time, event, track, extra) in enumerate(sorted(events, key=lambda event: event[0])):
        ns, bar = time + clocks.to_wall, None
        kind = (event[9] or [0])[0]
        if kind == 1:
            bar = count_trace.Slice("", "", 0, track, ns, ns, True, index, "B")
            trace.slices.append(bar)
            open_by_track[track].append(bar)
        elif kind == 2 and open_by_track[track]:
            bar = open_by_track[track].pop()
            bar.end_ns, bar.unfinished = ns, False
        elif kind == 2:
            trace.problems["unmatched_end"] += 1
        elif kind == 3:
            trace.instants.append(("", ns))
        elif kind != 4:
            trace.skipped["no type"] += 1
        samples = [(track, event[30] + [struct.unpack("<d", v)[0] for v in event[44]])] if kind == 4 else []
        whole, real = packed(event[12]), [struct.unpack("<d", v)[0] for v in packed(event[46], 8)]
        samples += [(at, [v]) for ids, values in zip(extra, (whole, real)) for at, v in zip(packed(ids), values)]
        trace.counters += [(at, ns, v) for at, values in samples for v in values if math.isfinite(v)]
        for last, old, new in ((False, 36, 47), (True, 42, 48)):
            ids = packed(event[old]) + [int.from_bytes(v, "little") for v in packed(event[new], 8)]
            points += [(flow, ns, last, index, bar) for flow in ids]
    ends = {}
    for flow, _, last, _, bar in sorted(points, key=lambda point: point[:4]):
        if ends.get(flow) and bar:
            trace.flows.append((ends[flow], bar))
        ends[flow] = None if last else bar
    return trace

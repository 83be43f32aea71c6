#!/usr/bin/env python3
"""Compares what we read from Perfetto's 38 JSON parser tests with what Perfetto reads.

    python3 tests/oracle/json_tests_test.py --traceview build/release/app/traceview [--only SUBSTRING]

CASES holds, for every case, what we want to show. If Perfetto's expected table (NAME.expected.txt: query and CSV)
holds the same kind of facts, the two are compared, and an entry may only differ from Perfetto if it says why. The
entries are also compared with the oracle, and then with `traceview dump FILE`.

The traces lie outside the repository, in $TV_SHARED_DIR, $TV_SHARED or ../shared (tests/support/skips.py).
"""

import argparse
import csv
import dataclasses
import json
import os
import subprocess
import sys

import count_trace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import shared_sample  # noqa: E402

US = 1_000
EXIT_EMPTY = 3


@dataclasses.dataclass
class Fact:
    """A slice (or, with `instant`, an instant) that we want to show. A member that is None is not compared.

    `differs`: why Perfetto's table lacks it or says something else.
    """

    name: str
    begin_ns: int
    dur_ns: int = 0
    unfinished: bool = False
    instant: bool = False
    pid: object = None
    tid: object = None
    process: str = None
    thread: str = None
    depth: int = None
    differs: str = ""


@dataclasses.dataclass
class Case:
    """Facts of one trace. `table`: which kind of facts Perfetto's CSV holds, "" when none of ours."""

    facts: list = dataclasses.field(default_factory=list)
    counters: list = dataclasses.field(default_factory=list)  # (series, t_ns, value)
    flows: list = dataclasses.field(default_factory=list)  # (from name, to name)
    table: str = "slices"
    lane_order: list = dataclasses.field(default_factory=list)  # slice names in the order of their lanes


def unfinished(name, begin_ns, **more):
    return Fact(name, begin_ns, unfinished=True, **more)


def instant(name, begin_ns, **more):
    return Fact(name, begin_ns, instant=True, **more)


NEEDS_DUR = "Perfetto drops an X without a usable dur. We show it, unfinished: something ran there."
NEEDS_ID = "Perfetto wants a category and an id that are not empty. We pair events that say the same."
OTHER_VIEW = "A slice in Perfetto too; its query only lists those of threads and processes."
OVERLAP = [
    Fact("outer", 100 * US, 100 * US, pid=1, tid=1, depth=0),
    Fact("inner", 150 * US, 100 * US, pid=1, tid=1, depth=1),
]
ALL_TYPES = [  # the E has another name than the B, so it does not end it
    unfinished("BeginEvent", 100 * US, pid=10, tid=11),
    Fact("CompleteEvent", 250 * US, 50 * US, pid=10, tid=12),
    instant("InstantGlobal", 300 * US, differs=OTHER_VIEW),
    instant("InstantProcess", 310 * US),
    instant("InstantThread", 320 * US),
    instant("InstantDefaultScope", 330 * US),
    instant("InstantR", 340 * US, differs=OTHER_VIEW),
    instant("Instanti", 350 * US),
]


def same_time(first, second):
    """Two slices of one thread: (begin, dur, depth) each, in microseconds."""
    return Case(
        [
            Fact("Slice 1", first[0] * US, first[1] * US, pid=1, tid=1, depth=first[2]),
            Fact("Slice 2", second[0] * US, second[1] * US, pid=1, tid=1, depth=second[2]),
        ]
    )


def state(name, begin_us, dur_us, **more):
    return Fact(name, begin_us * US, dur_us * US, pid=100, tid=101, process="TestProcess", thread="TestThread", **more)


CASES = {
    "args_ordered": Case([unfinished("Event1", 40_000 * US), unfinished("Event2", 40_000 * US)]),
    "counters_json_counters": Case(
        counters=[("ctr cats", 0, 0.0), ("ctr cats", 10 * US, 10.0), ("ctr cats", 20 * US, 0.0)], table="counters"
    ),
    "decimal_timestamp_slices": Case([Fact("name.exec", 5_100, 500_100, pid=1234, tid=1234)]),
    "display_time_unit_slices": Case(
        [
            Fact(
                "add_graph",
                1597071955492308 * US,
                211463 * US,
                pid=1,
                tid=1,
                process="api-service-65fc94b8c7-68w9w",
            )
        ]
    ),
    "invalid_string_ts_and_dur": Case([unfinished("InvalidDur", 300 * US, pid=10, tid=13, differs=NEEDS_DUR)]),
    "json_all_slice_types": Case(ALL_TYPES),
    "json_async": Case(
        [
            Fact("AsyncMissingCat", 2000 * US, 100 * US, pid=200, differs=NEEDS_ID),
            Fact("AsyncEmptyStringId", 2200 * US, 100 * US, pid=200, differs=NEEDS_ID),
            Fact("AsyncMissingCatEmptyStringId", 2400 * US, 100 * US, pid=200, differs=NEEDS_ID),
        ]
    ),
    "json_counter_args": Case(
        counters=[
            ("CounterStringEdgeCases leading_dot", 3000 * US, 0.75),
            ("CounterStringEdgeCases leading_zero_float", 3000 * US, 1.23),
            ("CounterStringEdgeCases leading_zero_int_str", 3000 * US, 50.0),
            ("CounterStringEdgeCases plus_val", 3000 * US, 10.5),
            ("CounterStringEdgeCases trailing_dot", 3000 * US, 246.0),
        ],
        table="counters",
    ),
    "json_extreme_vals": Case(
        [
            unfinished("CompleteNoDur", 1000 * US, pid=100, tid=101, differs=NEEDS_DUR),
            unfinished("BeginNoTTS", 1100 * US, pid=100, tid=102),
            Fact("CompleteNoTDUR", 1300 * US, 50 * US, pid=100, tid=103),
        ]
    ),
    # The query has no flow to count and, without GROUP BY, only one row.
    "json_flow": Case([dataclasses.replace(f, differs=f.differs or OTHER_VIEW) for f in ALL_TYPES]),
    "json_id2": Case(
        [
            Fact("AsyncId2StandardGlobalKey", 4000 * US, 100 * US, pid=400, differs=OTHER_VIEW),
            Fact("AsyncId2EmptyGlobalKey", 4200 * US, 100 * US, pid=400, differs=NEEDS_ID),
        ]
    ),
    "json_id2_global_int_id": Case([Fact("write", 1850244461563845 * US, 167 * US, pid=2, process="device2")]),
    "json_id2_global_string_id": Case([Fact("AsyncId2GlobalString", 4000 * US, 100 * US, pid=400)]),
    "json_id2_local_int_id": Case([Fact("write", 1750244461563845 * US, 167 * US, pid=1, process="device")]),
    "json_id2_local_string_id": Case([Fact("AsyncId2LocalString", 4000 * US, 100 * US, pid=400)]),
    "json_incomplete": Case([Fact("typecheck", 4619295550 * US, 8000 * US, pid=306339, tid=3)]),
    "json_metadata": Case(
        [
            Fact(
                "ActivityOnThread31",
                790 * US,
                25 * US,
                pid=30,
                tid=31,
                process="MyProcess30",
                thread="MyRevisedThread31Name",
            ),
            Fact("EventMissingCatAndArgs", 900 * US, 50 * US, pid=30, tid=32, process="MyProcess30"),
            Fact("PidOnlyEvent", 960 * US, 10 * US, pid=33, tid=33),
            Fact("NoPidNoTidEvent", 970 * US, 10 * US, pid=0, tid=0),
        ],
        counters=[
            ("MyCounters counter1_float", 800 * US, 100.5),
            ("MyCounters counter2_int", 800 * US, -50.0),
            ("MyCounters counter3_str_num", 800 * US, 25.7),
        ],
    ),
    "json_metadata_missing_or_invalid_ts": Case(table=""),
    "json_pid_tid_zero": Case(
        [
            Fact("RoutineControl Reeq", 0, 4 * US, pid=0),
            Fact("31 ", 0, 1 * US, pid=0),
            Fact("RoutineControl", 0, 1 * US, pid=0),
            Fact("01 ", 1 * US, 1 * US, pid=0),
            Fact("startRoutine", 1 * US, 1 * US, pid=0),
            Fact("02 03 ", 2 * US, 2 * US, pid=0),
            Fact("Routine Identifier", 2 * US, 2 * US, pid=0),
        ]
    ),
    "json_sort_index_hints": Case([Fact("Event1", 200 * US, 100 * US, pid=30, tid=31)], table=""),
    "json_sort_index_ordering": Case(
        [
            Fact("Event1", 1000 * US, 100 * US, pid=10, tid=11),
            Fact("Event2", 2000 * US, 100 * US, pid=20, tid=20),
            Fact("Event3", 3000 * US, 100 * US, pid=30, tid=30),
            Fact("Event4", 4000 * US, 100 * US, pid=40, tid=40),
        ],
        table="",
        lane_order=["Event4", "Event2", "Event1", "Event3"],
    ),
    "json_thread_state": Case(
        [
            state("Running", 1000, 5000),
            state("S", 6000, 10000),
            state("D", 16000, 8000),
            state("R", 24000, 2000),
            state("Running", 26000, 4000),
        ]
    ),
    "json_thread_state_sched": Case(
        [
            state("Running", 1000, 5000),
            state("S", 6000, 10000, differs="The query lists what ran on a CPU; S sleeps."),
            state("Running", 26000, 4000),
        ]
    ),
    "json_trace_metadata": Case([Fact("slice", 0, 10 * US, pid=1, tid=1)], table=""),
    "json_trailing_comma": Case(
        [Fact("Bar", 4_890_000, 3_764_289_708, tid=0), Fact("Foo", 3_473_608_458, 295_555_500, tid=0)]
    ),
    # Perfetto moves `inner` to a track of its own and calls that an error. We show it in a second row of the lane.
    "overlapping_complete_event_import_log": Case(OVERLAP, table=""),
    "overlapping_complete_event_recovered": Case(OVERLAP, table=""),
    "same_ts_duration_slice_then_zero_duration_slice_unnesting": same_time((1000, 100, 0), (1100, 0, 0)),
    "same_ts_two_duration_slice_unnesting": same_time((1000, 100, 0), (1100, 100, 0)),
    "same_ts_two_zero_duration_slice_nesting": same_time((1000, 0, 0), (1000, 0, 1)),
    "same_ts_zero_duration_slice_then_begin_end_slice_unnesting": Case(
        [
            Fact(
                "Slice 1",
                1000 * US,
                0,
                pid=1,
                tid=1,
                depth=1,
                differs="Perfetto does not know yet how long the B will last and leaves both at depth 0. To us B/E "
                "and X are the same slice, and in the case with an X Perfetto has depth 1 as well.",
            ),
            Fact("Slice 2", 1000 * US, 100 * US, pid=1, tid=1, depth=0),
        ]
    ),
    "same_ts_zero_duration_slice_then_duration_slice_unnesting": same_time((1000, 0, 1), (1000, 100, 0)),
    "string_pid_tid": Case([Fact("name.exec", 5_100, 500_100, pid="foo", tid="bar", process="foo", thread="bar")]),
    "string_ts_and_dur": Case(
        [
            Fact("BeginEvent", 100 * US, 100_500, pid=10, tid=11),
            Fact("CompleteEvent", 250 * US, 50_500, pid=10, tid=12),
        ]
    ),
    "string_ts_trailing_chars": Case([unfinished("TrailingCharsDur", 200 * US, pid=10, tid=17, differs=NEEDS_DUR)]),
    "string_tts_and_tdur": Case([Fact("StringTtsTdur", 400 * US, 100 * US, pid=10, tid=15)]),
    "trailing_empty_event": Case([Fact("real_event", 1 * US, 2 * US, pid=1, tid=1)], table=""),
    # Child has no tid, so it belongs to the thread with its process's number, where Parent is.
    "x_event_order": Case(
        [
            Fact("Parent", 1 * US, 10 * US, pid=1, tid=1, depth=0),
            Fact("Child", 1 * US, 5 * US, pid=1, tid=1, depth=1),
        ]
    ),
}


# --------------------------------------------------------------------------------------------------------------
# Perfetto's tables

COLUMN_OF = {
    "ts": "begin_ns",
    "dur": "dur_ns",
    "name": "name",
    "state": "name",
    "depth": "depth",
    "pid": "pid",
    "tid": "tid",
    "process_name": "process",
    "thread_name": "thread",
}


def perfetto_rows(path):
    """Rows of the CSV, each a dict. Of two columns with the same name the last one counts (pct.name of a counter)."""
    with open(path, encoding="utf-8") as file:
        table = file.read().split("EXPECTED")[1]
    lines = [line.strip() for line in table.splitlines() if line.strip()]
    return list(csv.DictReader(lines))


def facts_of_rows(rows):
    """The distinct rows in our terms, with only the members that they have. NULL is a missing name and not compared."""
    facts = []
    for row in rows:
        fact = {COLUMN_OF[key]: text for key, text in row.items() if key in COLUMN_OF and text != "[NULL]"}
        for key in ("begin_ns", "dur_ns", "depth", "pid", "tid"):
            if key in fact:
                fact[key] = int(fact[key])
        if fact.get("dur_ns") == -1:
            fact.update(dur_ns=0, unfinished=True)
        if fact not in facts:  # a join with the arguments repeats its slice
            facts.append(fact)
    return facts


def against_perfetto(case, path):
    """Complaints about the entry, which may lack or add something only if it says why."""
    if case.table == "counters":
        theirs = sorted((row["name"], float(row["value"])) for row in perfetto_rows(path))
        ours = sorted((series, value) for series, _, value in case.counters)
        return [] if theirs == ours else [f"Perfetto counts {theirs}, the entry says {ours}"]
    if case.table != "slices":
        return []
    complaints = []
    rows = facts_of_rows(perfetto_rows(path))
    seen = [fact for fact in case.facts if any(agrees(row, fact) for row in rows)]
    explained = {fact.name for fact in case.facts if fact.differs}
    for row in rows:
        if not any(agrees(row, fact) for fact in case.facts) and row.get("name") not in explained:
            complaints.append(f"Perfetto has {row}, the entry does not")
    for fact in case.facts:
        if fact not in seen and not fact.differs:
            complaints.append(f"the entry has {fact.name}, Perfetto does not")
    return complaints


def agrees(row, fact):
    return all(getattr(fact, key) in (value, None) for key, value in row.items())


# --------------------------------------------------------------------------------------------------------------
# The oracle


def against_oracle(case, path):
    trace = count_trace.read_trace(path)
    complaints = compare_lists(
        "slice",
        [(f.name, f.begin_ns, f.dur_ns, f.unfinished) for f in case.facts if not f.instant],
        [(s.name, s.begin_ns, s.end_ns - s.begin_ns, s.unfinished) for s in trace.slices],
        "the oracle",
    )
    instants = [(f.name, f.begin_ns) for f in case.facts if f.instant]
    complaints += compare_lists("instant", instants, list(trace.instants), "the oracle")
    samples = [(f"{name} {key}", ns, value) for (_, name, key), ns, value in trace.counters]
    return complaints + compare_lists("counter sample", case.counters, samples, "the oracle")


def compare_lists(what, wanted, found, who):
    complaints = []
    rest = list(found)
    for item in wanted:
        if item in rest:
            rest.remove(item)
        else:
            complaints.append(f"{who} lacks {what} {item}")
    return complaints + [f"{who} has {what} {item} too many" for item in rest]


# --------------------------------------------------------------------------------------------------------------
# Our dump


@dataclasses.dataclass
class Dump:
    """What `traceview dump` printed, in the order of the lanes. A lane is a list of names, outermost first."""

    slices: list = dataclasses.field(default_factory=list)
    instants: list = dataclasses.field(default_factory=list)
    counters: list = dataclasses.field(default_factory=list)
    flows: list = dataclasses.field(default_factory=list)


def load_dump(text):
    """One JSON object a line, told apart by the member only its kind has."""
    dump = Dump()
    for line in text.splitlines():
        record = json.loads(line)
        if "flow" in record:
            dump.flows.append(tuple(record["flow"]))
        elif "series" in record:
            dump.counters.append(record)
        elif "instant" in record:
            dump.instants.append(record)
        elif "begin_ns" in record:
            record.setdefault("unfinished", False)
            dump.slices.append(record)
    return dump


def run_dump(traceview, path):
    return subprocess.run([traceview, "dump", path], capture_output=True, text=True, timeout=60)


def names_lane(lane, name, number):
    """Does a segment of the lane's path carry the name or, where there is none, the number as a word?"""
    if name is not None:
        return any(name in segment for segment in lane)
    return any(str(number) in segment.split() for segment in lane)


def same_slice(fact, record):
    if (record["name"], record["begin_ns"], record["unfinished"]) != (fact.name, fact.begin_ns, fact.unfinished):
        return False
    if not fact.unfinished and record["dur_ns"] != fact.dur_ns:
        return False
    if fact.depth is not None and record["row"] != fact.depth:
        return False
    in_process = fact.pid is None or names_lane(record["lane"], fact.process, fact.pid)
    return in_process and (fact.tid is None or names_lane(record["lane"], fact.thread, fact.tid))


def same_counter(wanted, record):
    """The id of a counter may follow its series' name."""
    series, t_ns, value = wanted
    return record["series"].startswith(series) and record["t_ns"] == t_ns and abs(record["value"] - value) < 1e-12


def match_all(what, wanted, found, same):
    complaints = []
    rest = list(found)
    for item in wanted:
        match = next((record for record in rest if same(item, record)), None)
        if match is None:
            complaints.append(f"no such {what}: {item}")
        else:
            rest.remove(match)
    return complaints + [f"unexpected {what}: {record}" for record in rest]


def against_dump(case, result):
    empty = not (case.facts or case.counters or case.flows)
    if result.returncode != (EXIT_EMPTY if empty else 0):
        return [f"traceview dump: exit code {result.returncode}: {result.stderr.strip()[:200]}"]
    dump = load_dump(result.stdout)
    slices = [fact for fact in case.facts if not fact.instant]
    instants = [fact for fact in case.facts if fact.instant]
    complaints = match_all("slice", slices, dump.slices, same_slice)
    complaints += match_all(
        "instant", instants, dump.instants, lambda f, r: (f.name, f.begin_ns) == (r["instant"], r["t_ns"])
    )
    complaints += match_all("counter sample", case.counters, dump.counters, same_counter)
    complaints += match_all("flow", case.flows, dump.flows, lambda a, b: a == b)
    order = [record["name"] for record in dump.slices]
    if case.lane_order and order != case.lane_order:
        complaints.append(f"lanes in the order of {order}, wanted {case.lane_order}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    options = parser.parse_args()
    folder = shared_sample("chrome/perfetto/json_tests")
    if not folder:
        return 0
    present = {name[: -len(".json")] for name in os.listdir(folder) if name.endswith(".json")}
    failed = sorted(present ^ CASES.keys())
    for name in failed:
        print(f"{name}: no entry or no file")
    for name, case in CASES.items():
        if options.only not in name or name not in present:
            continue
        path = os.path.join(folder, name + ".json")
        complaints = against_perfetto(case, os.path.join(folder, name + ".expected.txt"))
        complaints += against_oracle(case, path)
        complaints += against_dump(case, run_dump(options.traceview, path))
        if complaints:
            failed.append(name)
            print(name)
            for complaint in complaints:
                print(f"    {complaint}")
    print(f"{len(CASES)} cases, {len(failed)} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares `traceview info FILE --json` with the oracle's counts on every real and constructed trace we have.

    python3 tests/oracle/counts_test.py --traceview build/release/app/traceview [--only SUBSTRING]

First the fixtures, where the oracle itself is compared with counts worked out by hand. Then the sample data, which
lies outside the repository, in $TV_SHARED_DIR, $TV_SHARED or ../shared (tests/support/skips.py).
"""

import argparse
import gc
import json
import os
import subprocess
import sys

import count_perfetto
import count_trace
from real_files import too_large

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import shared_sample  # noqa: E402

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("pytorch", "chrome/catapult", "chrome/perfetto/json_tests", "ray", "verl/constructed")
NOT_READ_YET = ("verl/constructed/console/",)  # console logs, which the oracle does not read
IGNORED_ENDINGS = (".expected.txt",)
COMPARED = ("slices", "instants", "counters", "flows", "begin_ns", "end_ns", "lost")
EXIT_NOT_A_TRACE = 3


def fixture_files(fixtures):
    """-> (name, path, counts by hand)"""
    with open(os.path.join(fixtures, "expected_counts.json"), encoding="utf-8") as file:
        for name, counts in json.load(file).items():
            yield name, os.path.join(fixtures, name), counts


def sample_files(data):
    for folder in FOLDERS:
        for path in count_trace.files_below([os.path.join(data, folder)]):
            name = os.path.relpath(path, data).replace(os.sep, "/")
            if not name.endswith(IGNORED_ENDINGS) and not name.startswith(NOT_READ_YET):
                yield name, path


def oracle(path):
    return (count_perfetto if path.endswith(".pftrace") else count_trace).read_trace(path)


def run_info(traceview, path):
    return subprocess.run([traceview, "info", path, "--json"], capture_output=True, text=True, timeout=300)


def reported(info):
    """What our reader found, in the oracle's terms."""
    sources = info["sources"]
    found = {key: sum(source[key] for source in sources) for key in ("slices", "instants", "counters", "flows")}
    found.update(begin_ns=info["begin_ns"], end_ns=info["end_ns"], lost=info["lost"])
    for key in ("slices", "flows"):
        if info[key] != found[key]:
            found[key] = f"{info[key]} in total, {found[key]} in the sources"
    return found


def expected(trace):
    counts = trace.summary()
    return {key: counts.get(key) for key in COMPARED} | {"lost": trace.unreadable()}


def differences(wanted, found):
    """Rows (what, oracle, ours). A trace without any time has no bounds: null and 0 say so equally well."""
    rows = []
    for key in COMPARED:
        if key == "lost" and wanted[key]:
            same = isinstance(found[key], int) and found[key] <= wanted[key]
        elif wanted[key] is None:
            same = not found[key]
        else:
            same = wanted[key] == found[key]
        if not same:
            rows.append((key, wanted[key], found[key]))
    return rows


def check_trace(trace, result):
    wanted = expected(trace)
    nothing = not any(wanted[key] for key in ("slices", "instants", "counters", "flows", "lost"))
    exit_code = EXIT_NOT_A_TRACE if nothing and trace.format == "chrome_json" else 0  # without an event it is empty
    if result.returncode != exit_code:
        return [("exit code", exit_code, f"{result.returncode}: {result.stderr.strip()[:200]}")]
    try:
        info = json.loads(result.stdout)
    except ValueError:
        return [("output", "JSON", result.stdout[:80])]
    return differences(wanted, reported(info))


def check_not_a_trace(trace, result):
    if result.returncode != EXIT_NOT_A_TRACE:
        return [("exit code", f"{EXIT_NOT_A_TRACE} ({trace.reason})", result.returncode)]
    return [] if result.stderr.strip() else [("reason on stderr", "some text", "nothing")]


def check(traceview, path):
    trace = oracle(path)
    result = run_info(traceview, path)
    if os.path.getsize(path) == 0:  # a log without any line yet may be refused or shown as empty
        return [] if result.returncode == EXIT_NOT_A_TRACE else check_trace(trace, result)
    if trace.format == "other":
        return check_not_a_trace(trace, result)
    return check_trace(trace, result)


class Report:
    """Prints what differs, file by file, and counts."""

    def __init__(self):
        self.files = self.failed = 0

    def add(self, name, rows, reference="oracle"):
        self.files += 1
        if rows:
            self.failed += 1
            print(name)
        for what, wanted, found in rows:
            print(f"    {what:16} {reference} {wanted!s:>22}   ours {found!s:>22}")


def check_fixtures(report, traceview, only):
    for name, path, by_hand in fixture_files(os.path.join(TESTS, "fixtures")):
        if only not in name:
            continue
        trace = oracle(path)
        wrong = differences(by_hand, expected(trace))
        if wrong:
            report.add(f"{name}: the oracle itself is wrong", wrong, "by hand")
        else:
            report.add(name, check(traceview, path))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    options = parser.parse_args()
    gc.disable()  # as in the oracle's own main()
    report = Report()
    check_fixtures(report, options.traceview, options.only)
    if data := shared_sample(""):
        for name, path in sample_files(data):
            if options.only in name and not too_large(path):
                report.add(name, check(options.traceview, path))
    print(f"{report.files} files compared, {report.failed} differ")
    return 1 if report.failed or not report.files else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Opens broken exports of Nsight Systems (make_nsys.py corrupt): what is wrong is reported, and what can be read is shown.

    python3 tests/oracle/nsys_corrupt_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MAKE = os.path.join(os.path.dirname(HERE), "support", "make_nsys.py")
OK, NOTHING_READ = 0, 3

# Exports that cannot be read at all; all others show something.
NOTHING = {"empty", "wrong_magic", "no_database", "zeros", "garbage_in_schema", "no_event_tables", "truncated_000001",
           "truncated_000015", "truncated_000016", "truncated_000099", "truncated_000100", "truncated_001024",
           "truncated_004096"}
# The least number of slices that are read, and the problem that is reported. A whole export has 2,020: 503 kernels, 506 calls, 3 other
# operations of the GPU, and 504 ranges, which are also shown on the GPU.
SHOWN = {
    "whole": (2000, None), "wal_beside": (2000, "log_beside"), "no_session": (2000, None), "of_2022": (3, None),
    "no_strings": (2000, "unnamed_event"), "no_kernel_start": (1000, "missing_columns"), "only_strings": (0, None),
    "text_as_time": (1900, "bad_time"), "text_as_ids": (1900, "not_an_integer"),
    "huge_numbers": (1500, "negative_duration"),
    "no_process": (2000, None), "row_number_taken": (2000, None), "no_stream": (1500, None), "no_api_thread": (1500, None), "garbage_in_kernels": (1000, "unreadable_rows"),
    "garbage_in_middle": (1000, "unreadable_rows"), "truncated_121855": (2000, "cut_off_database"),
    "truncated_120832": (1500, "cut_off_database"), "truncated_060928": (490, "cut_off_database"),
    "truncated_030464": (190, "cut_off_database"), "views_not_tables": (1500, None),
}
# Exports whose kernels are all joined with their calls, even if they do not name a process, as there is only one.
ALL_ARROWS = {"whole", "no_process", "row_number_taken"}
ARROWS = 506


def check(traceview, path):
    """-> what is wrong, or None"""
    name = os.path.basename(path).removesuffix(".sqlite")
    command = [traceview, "info", path, "--json", "--no-cache"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, errors="replace")
    if name in NOTHING:
        if result.returncode != NOTHING_READ:
            return f"exit code {result.returncode}, not {NOTHING_READ}"
        return None if path in result.stderr else f"no reason: {result.stderr[:200]}"
    if result.returncode != OK:
        return f"exit code {result.returncode}: {result.stderr[:300]}"
    info = json.loads(result.stdout)
    least, problem = SHOWN[name]
    if info["slices"] < least:
        return f"{info['slices']} slices, not {least}"
    if name in ALL_ARROWS and info["flows"] != ARROWS:
        return f"{info['flows']} arrows, not {ARROWS}"
    said = {p["kind"] for source in info["sources"] for p in source["problems"]}
    return None if problem is None or problem in said else f"{problem} is not among {sorted(said)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traceview", required=True)
    options = parser.parse_args()
    failed = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([sys.executable, MAKE, "corrupt", "--out", folder], capture_output=True, check=True)
        names = sorted(json.loads(made.stdout))
        before = {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in names}
        listed = sorted(os.listdir(folder))
        os.chmod(folder, 0o555)
        for name in names:
            checked += 1
            wrong = check(options.traceview, os.path.join(folder, name))
            if wrong:
                failed += 1
                print(f"{name}: {wrong}")
        os.chmod(folder, 0o755)
        changed = [name for name in names if os.stat(os.path.join(folder, name)).st_mtime_ns != before[name]]
        if changed or sorted(os.listdir(folder)) != listed:
            failed += 1
            print(f"the folder was changed: {changed} {set(os.listdir(folder)) ^ set(listed)}")
    print(f"{checked} broken exports, {failed} wrong")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())

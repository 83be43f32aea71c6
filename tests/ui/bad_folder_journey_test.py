#!/usr/bin/env python3
"""J10 without its growing part, on the window without a display: a folder of two hosts with files that are cut, left open,
misquoted, empty, foreign, out of order, in Chinese, and logs of the night when clocks go back. The folder is dropped; everything
readable is shown, and each file is in the import report with what is wrong with it."""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

from rollout_journeys_test import play

HOSTS = ("host a", "主机 乙")
BEGIN_US = 1.7928e15  # 25 October 2026
MANY = 4000


def event(name, i, tid=1, dur=5.0):
    return {"ph": "X", "name": name, "cat": "cpu_op", "pid": 1, "tid": tid, "ts": BEGIN_US + 10 * i, "dur": dur}


def events(names, **more):
    return json.dumps([event(name, i, **more) for i, name in enumerate(names)]).encode()


def autumn_night(worker):
    """Local time without a zone: 02:59:59 is followed by 02:00:00."""
    stamps = [f"2026-10-25T02:59:{s:02}" for s in range(50, 60)] + [f"2026-10-25T02:00:{s:02}" for s in range(10)]
    lines = [json.dumps({"timestamp": stamp, "event": "turn_engine_call", "duration_sec": 0.9,
                         "extra": {"request_id": f"r{i}", "turn": 0}, "workid": worker, "step": 1}) for i, stamp in enumerate(stamps)]  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


def files_of(worker):
    """Name, bytes, slices that can be read (None: as many as the inflated part has), what the import report says of the file."""
    quotes = (b'{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a "raw" quote","pid":1,"tid":1,"ts":%d,"dur":2},'
              b'{"ph":"X","cat":"cpu_op","name":"bad \\q escape","pid":1,"tid":1,"ts":%d,"dur":2}]}' % (BEGIN_US, BEGIN_US + 10))  # fmt: skip
    packed = gzip.compress(events(f"aten::前向 {i % 5}" for i in range(MANY)))
    return [
        ("cut.pt.trace.json.gz", packed[: len(packed) * 7 // 10], None, {"truncated_archive": 1, "missing_close": 1, "truncated_record": 1}),
        ("open.json", events(["no end"] * 50)[:-2], 49, {"missing_close": 1, "truncated_record": 1}),
        ("quotes.json", quotes, 2, {"repaired_record": 2}),
        ("empty.json", b"", 0, "the file is empty"),
        ("rank3.pt.trace.json", b"", 0, "the file is empty"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(200), 0, "a binary file of a format that is not known"),
        ("trace.json", events(["same name"] * 50), 50, {}),
        ("训练 日志.json", events([f"线程 {i}" for i in range(20)], tid=7), 20, {}),
        ("out of order.json", json.dumps([event(f"back {i}", 100 - i, tid=3, dur=3) for i in range(60)]).encode(), 60, {}),
        (f"rollout/step_1/worker_{worker}.jsonl", autumn_night(worker), 20, {"time_went_back": 1}),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temp:
        top, wanted = pathlib.Path(temp, "坏的 logs"), {}
        for worker, host in enumerate(HOSTS):
            for name, data, slices, said in files_of(worker):
                path = top / host / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                wanted[str(path)] = slices, said
        told = subprocess.run([options.traceview, "info", str(top), "--json"], capture_output=True, text=True, timeout=120)
        assert told.returncode == 0, told.stderr
        info = json.loads(told.stdout)
        sources = {source["path"]: source for source in info["sources"]}
        assert set(sources) == set(wanted), set(sources) ^ set(wanted)
        for path, (slices, said) in wanted.items():
            source = sources[path]
            if isinstance(said, str):
                assert source["reason"] == said, (path, source)
                continue
            problems = {problem["kind"]: problem["count"] for problem in source["problems"]}
            assert problems == said, (path, problems)
            if slices is None:  # the whole records that can be inflated up to the cut: more than half of them
                assert MANY // 2 < source["slices"] < MANY, (path, source["slices"])
            else:
                assert source["slices"] == slices, (path, source["slices"])
        state = play(options.traceview, f'''hover 0.5 0.5
drop "{top}"
wait
settle
expect trace.complete = true
expect trace.slices = {info["slices"]}
expect trace.lost = {info["lost"]}
lanes 线程
settle
lanes
settle
press /
type "线程 7"
settle
press Enter
settle
expect selected.name = "线程 7"
press Esc
press Ctrl+Shift+P
type "Show: Import report"
settle
press Enter
settle
expect window.panel = problems
expect tables.files.rows = {len(wanted)}
click files filter
type "picture"
settle
expect tables.files.rows = {len(HOSTS)}
state
''')
        assert state["trace"]["sources"] == len(wanted)
    print(f"{len(wanted)} files, {info['slices']} slices, {info['lost']} lost: each file is reported")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Opens generated runs of many ranks and compares the clocks, ranks and roles that traceview recovers with the true ones.

    python3 tests/oracle/nsys_run_test.py --traceview build/release/app/traceview

The reports' session starts are wrong by up to 2 ms and lie up to 12 s apart; sessions begin at different collectives.
An offset is right if it is within 10 us of the truth, relative to a rank whose clock is not moved.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MAKE = os.path.join(os.path.dirname(HERE), "support", "make_nsys.py")
WITHIN_NS = 10_000

failures = []


def check(true, what):
    if not true:
        failures.append(what)
        print("FAILED:", what)


def made(folder, *options):
    out = subprocess.run([sys.executable, MAKE, "run", "--out", folder, *options], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def opened(traceview, folder, *options):
    out = subprocess.run([traceview, "info", folder, "--json", "--no-cache", *options], capture_output=True, text=True,
                         check=True)
    info = json.loads(out.stdout)
    return info, {os.path.basename(source["path"]): source for source in info["sources"]}, out.stderr


def check_ranks(truth, sources):
    for file in truth["files"]:
        source = sources[file["file"]]
        name = f"{file['file']}: "
        check(source["rank"] == file["rank"], name + f"rank {source['rank']}, not {file['rank']}")
        check(source["host"] == file["host"], name + f"host {source['host']}, not {file['host']}")
        check(source["pid"] == file["pid"], name + f"pid {source['pid']}, not {file['pid']}")
        told = [fact["evidence"] for fact in source["facts"] if fact["what"] == "rank"]
        if file["rank_evidence"] is None:
            check(not told, name + f"a rank by {told}")
        else:
            check(told and told[0].startswith(file["rank_evidence"]), name + f"the rank by {told}, not {file['rank_evidence']}")


def check_ranks_and_roles(truth, sources):
    check_ranks(truth, sources)
    for file in truth["files"]:
        role = sources[file["file"]]["role"] or ""
        check(file["role"] in role.split(", "), f"{file['file']}: role {role}, not {file['role']}")


def check_clocks(truth, info, sources, bound=WITHIN_NS):
    wrong = {file["file"]: file["clock_error_ns"] for file in truth["files"]}
    ranks = [file["file"] for file in truth["files"] if file["rank"] is not None]
    kept = [name for name in ranks if sources[name]["clock"]["offset_ns"] == 0]
    check(len(kept) > 0, "every rank's clock was moved")
    worst = 0
    for name in ranks:
        clock = sources[name]["clock"]
        check(clock["evidence"] == "collectives", f"{name}: {clock['evidence']}")
        check(clock["matched"] >= 3 and clock["residual_ns"] is not None, f"{name}: no residual")
        # The error that is left after the clock was moved must be the same for all ranks.
        left = wrong[name] + clock["offset_ns"] - wrong[kept[0]]
        worst = max(worst, abs(left))
        check(abs(left) <= bound, f"{name}: {left} ns from the truth")
    print(f"{len(ranks)} reports, at most {worst} ns from the truth")
    check("moved" in info["clock_verdict"], "clocks were moved silently")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traceview", required=True)
    traceview = parser.parse_args().traceview
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run")
        truth = made(path)
        info, sources, said = opened(traceview, path)
        check_ranks_and_roles(truth, sources)
        check_clocks(truth, info, sources)
        check("clocks" in said, "nothing on stderr about moved clocks")
        check("on the clock of" in (sources["console.log"]["placing"] or ""), "the log was not joined with its controller")
        _, sources, _ = opened(traceview, path, "--clock", "recorded")
        check(all(s["clock"]["offset_ns"] == 0 for s in sources.values()), "--clock recorded moved a clock")

        _, sources, said = opened(traceview, path, "--rank", "2..3,5", "--role", "actor")
        kept = sorted(s["rank"] for s in sources.values() if s["state"] == "ready" and s["rank"] is not None)
        check(kept == [2, 3, 5], f"--rank 2..3,5 left the ranks {kept}")
        check(sources["console.log"]["state"] == "ready", "--role left the training log out")
        controller = [s for s in sources.values() if s["role"] == "controller"]
        check(controller[0]["state"] == "left-out", "--role actor kept the controller")

        # Reports that are left out take no memory: all of them need 3.5 MB and one needs 0.5 MB, though it may seem more while it loads.
        for choice, fits in ((), False), (("--rank", "2"), True):
            command = [traceview, "info", path, "--no-cache", "--memory-limit", "3M", *choice]
            code = subprocess.run(command, capture_output=True, timeout=120).returncode
            check((code == 0) == fits, f"exit code {code} within 3 MB with {choice}")

        # Process groups of actor, critic and reward model, on their own ranks.
        path = os.path.join(folder, "groups")
        truth = made(path, "--critic", "--steps", "2")
        _, sources, _ = opened(traceview, path)
        check_ranks_and_roles(truth, sources)
        check({"actor", "critic", "rm", "controller"} <= {file["role"] for file in truth["files"]}, "roles are missing in the run")

        # One report for each phase and step: one process, one group of lanes, in order.
        path = os.path.join(folder, "discrete")
        truth = made(path, "--discrete", "--steps", "2")
        info, sources, _ = opened(traceview, path)
        check_ranks(truth, sources)
        groups = {}
        for lane in info["lanes"]:
            groups.setdefault(lane["path"][0], []).append(lane["path"][1:])
        processes = {file["pid"] for file in truth["files"]}
        for pid in processes:
            named = [group for group in groups if group.endswith(f"pid {pid}")]
            check(len(named) == 1, f"process {pid} has the groups {named}")
            lanes = [tuple(p) for p in groups[named[0]]]
            check(len(lanes) == len(set(lanes)), f"lanes of process {pid} are there twice")
        check(any("rank 5 rollout, actor, ref" in group or "rank 5 actor" in group for group in groups), "rank 5 is not known in all its reports")

        # Without collectives nothing is moved, and that is said.
        path = os.path.join(folder, "alone")
        truth = made(path, "--no-collectives", "--steps", "1")
        info, sources, _ = opened(traceview, path)
        for file in truth["files"]:
            clock = sources[file["file"]]["clock"]
            check(clock["offset_ns"] == 0, f"{file['file']} was moved")
            check("wall clock, uncertainty unknown" in clock["text"], f"{file['file']}: {clock['text']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

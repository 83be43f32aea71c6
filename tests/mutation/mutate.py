#!/usr/bin/env python3
"""Measures which faults the tests notice. Draws faults in the files of places.txt and takes those of found.txt, builds the program
once with all of them in it (draw.py says how), notes which test reaches which fault, and for each fault runs the tests that reach
it until one fails. The results are in RESULT.md. Takes an hour or more; CI does not run it.

  tests/mutation/mutate.py draw  FOLDER [--seed N] [--each N]   copies the tree to FOLDER/tree with the faults in it
  tests/mutation/mutate.py build FOLDER                         builds that; faults that do not compile are taken out
  tests/mutation/mutate.py link  FOLDER                         the tests of build/units, which must be built, with that program
  tests/mutation/mutate.py reach FOLDER                         runs every test once: how long, and which faults it reaches
  tests/mutation/mutate.py kill  FOLDER [--jobs N] [--again]    continues where it was; --again: also survivors, with the tests left
  tests/mutation/mutate.py show  FOLDER                         counts, and the faults that no test noticed

New tests: build build/units, then link, reach (--only 'part of a name' also repeats tests that it knows) and kill --again.

A fault is noticed when a test fails, crashes, or takes 10 s more than 20 times its normal time; that test must pass without the
fault. Faults without any observable effect are in equivalent.txt, with the reason; they count neither way."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import draw

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BY_HAND = "found"
SPARE = 8  # faults drawn per area beyond those asked for, since some do not compile


def places():
    areas = {}
    for line in (HERE / "places.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            area, files = line.split(": ")
            areas[area] = files.split()
    return areas


def by_hand():
    """(file, old, new) of found.txt, where @ stands for tv_mutant(n)."""
    blocks = [b.split("\n") for b in (HERE / "found.txt").read_text().split("\n\n")]
    return [block for block in blocks if len(block) >= 3 and not block[0].startswith("#")]


def hand_fault(file, old, new):
    original = (ROOT / file).read_text()
    assert original.count(old) == 1, f"{file}: {old!r} is there {original.count(old)} times"
    begin = original.index(old)
    before, after = new.split("@")
    return draw.Fault(file, begin, begin + len(old), before, after, original.count("\n", 0, begin) + 1, f"{old} => {new}")


class Work:
    """The folder of one check: what was drawn, built, reached and killed, as JSON."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.tree, self.build, self.linked = self.folder / "tree", self.folder / "tree" / "build" / "units", self.folder / "linked"
        self.originals = self.folder / "originals"  # the files with faults, as they were when these were drawn

    def load(self, name, default=None):
        path = self.folder / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else default

    def save(self, name, value):
        path = self.folder / f"{name}.json"
        path.with_suffix(".new").write_text(json.dumps(value, indent=0))
        path.with_suffix(".new").rename(path)


def tracked():
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in listing.split("\0") if name]


def copy(source, target):
    """Copies a file unless it is the same already, so that little is built again."""
    if target.exists() and target.read_bytes() == source.read_bytes():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def draw_faults(seed, each):
    faults = [dict(vars(hand_fault(*block[:3])), area=BY_HAND) for block in by_hand()]
    taken = [(f["file"], f["begin"], f["end"]) for f in faults]
    chance = random.Random(seed)
    for area, files in places().items():
        drawn = 0
        possible = [fault for file in files for fault in draw.faults_of(file, (ROOT / file).read_text())]
        chance.shuffle(possible)
        for fault in possible:
            if drawn == each + SPARE:
                break
            if any(file == fault.file and begin < fault.end and fault.begin < end for file, begin, end in taken):
                continue
            taken.append((fault.file, fault.begin, fault.end))
            faults.append(dict(vars(fault), area=area))
            drawn += 1
    for number, fault in enumerate(faults):
        fault["number"] = number
    return faults


def wrapped_text(original, faults):
    out, at = [], 0
    for fault in sorted(faults, key=lambda f: f["begin"]):
        whole = fault["before"] + f"tv_mutant({fault['number']})" + fault["after"]
        rows = original.count("\n", fault["begin"], fault["end"])
        # Both versions take as many lines as the original.
        whole = whole.replace("\n", " ") + "\n" * rows
        out += [original[at:fault["begin"]], whole]
        at = fault["end"]
    return "".join(out) + original[at:]


def put_in(work):
    """Writes every file with its faults, as it will be built."""
    faults = [f for f in work.load("faults") if not f.get("dropped")]
    files = {f["file"] for f in work.load("faults")}
    for file in sorted(files):
        text = wrapped_text((work.originals / file).read_text(), [f for f in faults if f["file"] == file])
        target = work.tree / file
        if target.read_text() != text:
            target.write_text(text)


def do_draw(work, options):
    work.folder.mkdir(parents=True, exist_ok=True)
    for name in tracked():
        if (ROOT / name).is_file():
            copy(ROOT / name, work.tree / name)
    shutil.copy(HERE / "tv_mutant.h", work.folder / "tv_mutant.h")
    work.save("faults", draw_faults(options.seed, options.each))
    for file in {f["file"] for f in work.load("faults")}:
        copy(ROOT / file, work.originals / file)
    work.save("choice", {"seed": options.seed, "each": options.each})
    put_in(work)
    print(f"seed {options.seed}: {len(work.load('faults'))} faults drawn")


def do_build(work, options):
    if not (work.build / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "units", "-DTV_WERROR=OFF", f"-DTV_SHARED_DIR={ROOT.parent / 'shared'}",
                        f"-DCMAKE_CXX_FLAGS=-w -include {work.folder / 'tv_mutant.h'}"], cwd=work.tree, check=True,
                       stdout=subprocess.DEVNULL)
    for _ in range(8):
        put_in(work)
        result = subprocess.run(["ninja", "-C", str(work.build), "-k", "0", "-j", str(options.jobs), "traceview"], capture_output=True, text=True)
        (work.folder / "build.log").write_text(result.stdout + result.stderr)
        if result.returncode == 0:
            break
        faults, dropped = work.load("faults"), 0
        for file, line in set(re.findall(r"^(?:.*/tree/)?((?:core|ui|app)/[\w/]+\.\w+):(\d+):\d+: error", result.stdout, re.M)):
            for fault in faults:
                rows = (work.originals / file).read_text()[fault["begin"]:fault["end"]].count("\n") if fault["file"] == file else 0
                if fault["file"] == file and fault["line"] - rows <= int(line) <= fault["line"] + rows and not fault.get("dropped"):
                    fault["dropped"] = "does not compile"
                    dropped += 1
        if not dropped:
            sys.exit("does not build; see build.log in " + str(work.folder))
        print(f"{dropped} faults do not compile", flush=True)
        work.save("faults", faults)
    # The first faults of each area are chosen; the others stay in the build and are never turned on.
    faults, count = work.load("faults"), collections.Counter()
    for fault in faults:
        fault["chosen"] = not fault.get("dropped") and (fault["area"] == BY_HAND or count[fault["area"]] < work.load("choice")["each"])
        count[fault["area"]] += fault["chosen"]
    work.save("faults", faults)
    print(dict(count))


def tests_of(work):
    """All tests as ctest would run them, but each script of the user interface is a test of its own."""
    built = ROOT / "build" / "units"
    listing = subprocess.run(["ctest", "--test-dir", str(built), "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
    tests = {}
    for test in json.loads(listing)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if "command" not in test or test["name"].startswith("fuzz"):
            continue
        command = [re.sub(f"^{built}/tests/(\\w+_tests)$", rf"{work.linked}/\1", word) for word in test["command"]]
        command = [str(work.build / "app/traceview") if word == str(built / "app/traceview") else word for word in command]
        one = {"command": command, "cwd": properties["WORKING_DIRECTORY"],
               "environment": dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))}
        folder = {"ui/scripts_test.py": "scripts", "ui/drawn_test.py": "drawn"}.get(test["name"])
        if not folder:
            tests[test["name"]] = one
            continue
        for script in sorted((ROOT / "tests/ui" / folder).glob("*.script")):
            only = script.name if folder == "scripts" else script.stem
            tests[f"{test['name']} {script.stem}"] = dict(one, command=one["command"] + ["--only", only])
    return tests


def run_test(test, limit, **extra):
    """Returns passed, failed, skipped or late, and the seconds it took. The test's settings and cache are in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="tv_mutant_") as temp:
        places_of = {"XDG_CACHE_HOME": temp + "/cache", "TRACEVIEW_CONFIG_DIR": temp + "/config", "TRACEVIEW_STATE_DIR": temp + "/state"}
        environment = {**os.environ, **test["environment"], **places_of, **extra}
        begin = time.monotonic()
        process = subprocess.Popen(test["command"], cwd=test["cwd"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            output, code = b"", None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        seconds = time.monotonic() - begin
    if code is None:
        return "late", seconds
    if code == 77:
        return "skipped", seconds
    return "failed" if code != 0 or re.search(rb"test cases: +0 ", output) else "passed", seconds


def do_reach(work, options):
    tests, known = tests_of(work), work.load("reach", {})
    if options.only:
        known = {name: entry for name, entry in known.items() if not re.search(options.only, name)}
    if options.all:
        known = {}
    known = {name: entry for name, entry in known.items() if name in tests}
    left = [name for name in tests if name not in known]

    def reach(name):
        with tempfile.NamedTemporaryFile(prefix="tv_reached_") as file:
            outcome, seconds = run_test(tests[name], 900, TV_MUTANT_REACHED=file.name)
            if outcome != "passed":  # one more file is open then, which makes some tests fail
                outcome = run_test(tests[name], 900)[0]
            numbers = sorted({int(n) for n in file.read().split() if n.isdigit()})
        return name, {"outcome": outcome, "seconds": round(seconds, 3), "reached": numbers}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for n, (name, entry) in enumerate(pool.map(reach, left)):
            known[name] = entry
            if entry["outcome"] in ("failed", "late"):
                print(entry["outcome"], name, flush=True)
            if n % 50 == 0:
                work.save("reach", known)
    work.save("reach", known)
    print(f"{len(known)} tests, {sum(e['seconds'] for e in known.values()):.0f} s")


def tests_for(fault, reach, tests):
    """The tests that reach a fault, in the order in which they run: quick ones first and those that reach few other faults; drawn
    tests, which compare whole pictures, before others that start the program."""
    names = [n for n, e in reach.items() if n in tests and e["outcome"] == "passed" and fault["number"] in e["reached"]]
    cost = lambda n: reach[n]["seconds"] * (1 + len(reach[n]["reached"]) / 100) / (10 if n.startswith("ui/drawn_test.py") else 1)
    return sorted(names, key=cost)


def do_kill(work, options):
    tests, reach, results = tests_of(work), work.load("reach"), work.load("results", {})
    faults = [f for f in work.load("faults") if f["chosen"]]
    if options.only:
        faults = [f for f in faults if re.search(options.only, f["area"])]

    def due(fault):
        result = results.get(str(fault["number"]))
        return not result or (result["outcome"] == "survived" and (options.again or result.get("left")))

    def kill(fault):
        ran, spent, left = [], 0.0, 0
        result = results.get(str(fault["number"]), {})
        done = set(result.get("ran", []))
        for name in tests_for(fault, reach, tests):
            normal = reach[name]["seconds"]
            if name in done:
                continue
            if spent + normal > options.budget:
                left += 1
                continue
            outcome, seconds = run_test(tests[name], 20 * normal + 10, TV_MUTANT=str(fault["number"]))
            spent += seconds
            if outcome in ("failed", "late"):
                if outcome == "late" or run_test(tests[name], 20 * normal + 10)[0] == "passed":
                    return fault, {"outcome": "killed", "by": name, "how": outcome, "after": len(ran) + len(done)}
            ran.append(name)
        reached = bool(ran) or bool(done) or left > 0
        return fault, {"outcome": "survived", "reached": reached, "ran": sorted(done | set(ran)), "left": left}

    todo = [f for f in faults if due(f)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for job in concurrent.futures.as_completed([pool.submit(kill, f) for f in todo]):
            fault, result = job.result()
            results[str(fault["number"])] = result
            work.save("results", results)
            if result["outcome"] == "survived":
                print(f"{fault['number']} {fault['area']} {fault['file']}:{fault['line']} {fault['says']}   "
                      f"[{len(result['ran'])} tests ran, {result['left']} left]", flush=True)
    do_show(work, options, brief=True)


def do_link(work, _):
    """Links every test program of build/units again, with the libraries that have the faults."""
    built = ROOT / "build" / "units"
    work.linked.mkdir(exist_ok=True)
    programs = sorted(p.name for p in (built / "tests").glob("*_tests") if p.is_file())
    for program in programs:
        lines = subprocess.run(["ninja", "-C", str(built), "-t", "commands", "-s", f"tests/{program}"], check=True, capture_output=True, text=True).stdout
        command = [line for line in lines.splitlines() if f" -o tests/{program} " in line][-1]
        command = command.replace(f" -o tests/{program} ", f" -o {work.linked / program} ")
        for library in ("core/libtv_core.a", "ui/libtv_ui.a", "app/libtv_app.a"):
            command = re.sub(rf"(?<= ){library}", str(work.build / library), command)
        subprocess.run(command, shell=True, cwd=built, check=True)
    print(f"{len(programs)} programs")


def equivalent():
    path = HERE / "equivalent.txt"
    if not path.exists():
        return {}
    rows = [row.split(" | ", 1) for row in path.read_text().splitlines() if row and not row.startswith("#")]
    return {int(number): why for number, why in rows}


def do_show(work, _, brief=False):
    results, same = work.load("results", {}), equivalent()
    table = collections.defaultdict(collections.Counter)
    for fault in work.load("faults"):
        if not fault["chosen"]:
            continue
        result, row = results.get(str(fault["number"])), table[fault["area"]]
        row["drawn"] += 1
        state = "equivalent" if fault["number"] in same else result["outcome"] if result else "not yet"
        row[state] += 1
        if result and result["outcome"] == "killed":
            row["late"] += result["how"] == "late"
        if result and not brief and state == "survived":
            print(f"{fault['number']} {fault['area']} {fault['file']}:{fault['line']} {fault['says']}"
                  f"{'' if result['reached'] else '   (no test comes there)'}")
    columns = ["drawn", "killed", "late", "survived", "equivalent", "not yet"]
    print("| area | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    total = collections.Counter()
    for area, row in table.items():
        if area != BY_HAND:
            total.update(row)
        print(f"| {area} | " + " | ".join(str(row[c]) for c in columns) + " |")
    print("| all drawn | " + " | ".join(str(total[c]) for c in columns) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["draw", "build", "link", "reach", "kill", "show"])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--each", type=int, default=30, help="faults drawn per area")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="kill: also survivors, with the tests that did not run yet")
    parser.add_argument("--all", action="store_true", help="reach: run every test again")
    parser.add_argument("--only", help="reach: only tests, kill: only areas, with this in their name")
    parser.add_argument("--budget", type=float, default=1e9, help="kill: seconds for one fault; the next kill runs the tests that are left")
    options = parser.parse_args()
    globals()["do_" + options.step](Work(options.folder), options)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The scripts of tests/ui/drawn stop at some points and print all that ImGui drew there: each text and each shape with its place and
colour, and the timeline as SVG. The output must equal the golden next to the script, NAME.txt. TV_UPDATE_GOLDEN=1 rewrites the
goldens; read the difference, which shows what is now drawn differently.

The program has no system fonts here but ImGui's own, so that letters have the same width on every machine. Another version of ImGui
draws other shapes; then nothing is compared. The test is also skipped with sanitizers, which take minutes and draw the same."""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import SANITIZED, skip_script  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MOST_LINES = 40  # of a difference


def play(traceview, script, temp):
    """What the script printed, with {temp} for the folder's name. In these scripts `picture NAME` stands for the timeline as SVG."""
    text = script.read_text()
    shutil.copytree(HERE / "scripts" / "data", temp / "data")
    (temp / "fonts.conf").write_text("<fontconfig></fontconfig>")
    text = re.sub(r"^picture (.*)$", rf"screenshot {temp}/\1.svg", text, flags=re.M)
    result = subprocess.run([traceview, "script", "-", "--size", "900x600"], cwd=ROOT, input=text.replace("{temp}", str(temp)),
                            env=dict(os.environ, FONTCONFIG_FILE=str(temp / "fonts.conf")), capture_output=True, text=True, timeout=120)
    out = result.stdout
    for picture in sorted(temp.glob("*.svg")):
        out += f"picture: {picture.stem}\n{picture.read_text()}\n"
    return result.returncode, result.stderr, out.replace(str(temp), "{temp}")


def parts_of(text):
    """Leaves out lines that an earlier picture of the script already has, such as those of the top bar."""
    lines, said = [], set()
    for line in text.splitlines():
        if line in said:
            continue
        if not line.startswith(("window ", "drawn: ", "picture: ", "mouse ")):
            said.add(line)
        lines.append(line)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("--only", metavar="NAME", help="plays this one alone")
    options = parser.parse_args()
    if SANITIZED:
        skip_script("a sanitizer takes minutes for it")
    failures = 0
    for script in sorted((HERE / "drawn").glob((options.only or "*") + ".script")):
        with tempfile.TemporaryDirectory() as folder:
            code, messages, found = play(options.traceview, script, pathlib.Path(folder))
        golden = script.with_suffix(".txt")
        if code != 0:
            failures += 1
            print(f"FAILED {script.name}\n{messages}")
            continue  # without this, a crash would look like another version of ImGui
        lines = parts_of(found)
        if os.environ.get("TV_UPDATE_GOLDEN"):
            golden.write_text("\n".join(lines) + "\n")
            continue
        wanted = golden.read_text().splitlines()
        if lines[:1] != wanted[:1] or not lines:
            skip_script(f"drawn with {lines[:1]}, and the goldens with {wanted[:1]}")
        if lines == wanted:
            print(f"ok     {script.name}")
            continue
        failures += 1
        print(f"FAILED {script.name}: differs from {golden.relative_to(ROOT)}; TV_UPDATE_GOLDEN=1 rewrites it")
        difference = list(difflib.unified_diff(wanted, lines, "before", "now", n=1, lineterm=""))
        print("\n".join(difference[:MOST_LINES]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Every command that the program lists is found by its title in the command box, is in its menu and has its key; all three execute
the same command. Other scripts test what the command does."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# These change what is open or shown, so that others could not be chosen afterwards.
CHANGE = ("file.", "clocks.", "runs.", "lanes.", "view.", "sort.", "order.", "app.", "window.full", "window.drawer", "panel.reset")
BACK = ["press Esc", "press Esc", "press Esc", "press Ctrl+0"]


def play(traceview, lines):
    result = subprocess.run([traceview, "script", "-", "--size", "1366x768"], cwd=ROOT, input="\n".join(lines), capture_output=True, text=True,
                            timeout=280)
    assert result.returncode == 0, result.stderr[:4000]
    return result.stdout


def by_box(row):
    return ["press Ctrl+Shift+P", f'type "{row["title"]}"', f"expect commands.chosen_id = {row['id']}", "press Enter"]


def by_menu(row):
    title = row["title"].removeprefix("Show: ")
    return [f"click menu {row['menu']}", f'click menu "{title}"']


def by_key(row):
    return [f'press "{row["chord"]}"']


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    scene = ["open assets/samples/rl_run", "move 0.5 0.5", "press M", "press Shift+L", "press L", "settle"]
    commands = json.loads(play(options.traceview, [*scene, "commands"]))
    assert len(commands) > 150, len(commands)
    of_keys = {row["id"] for row in json.loads(subprocess.run([options.traceview, "keys", "--json"], capture_output=True, text=True, check=True).stdout)["keys"]}
    assert of_keys <= {row["id"] for row in commands}, "an action of the key table is not in the list"
    now = [row for row in commands if row["enabled"]]
    assert len(now) > 120, [row["id"] for row in commands if not row["enabled"]]
    served_while_down = {"view.zoom_in", "view.zoom_out", "view.pan_left", "view.pan_right"}
    of_key = [row for row in now if row.get("chord") and row["id"] not in served_while_down]
    ways = ((by_box, now), (by_menu, now), (by_key, of_key))
    for way, rows in ways[:1] if os.environ.get("TV_SANITIZED") else ways:  # the same commands, three times
        lines = list(scene)
        for row in rows:
            lines += [*way(row), f"expect commands.done = {row['id']}"]
            lines += BACK + (scene if row["id"].startswith(CHANGE) else ["press L", "settle"])
        play(options.traceview, lines)
        print(f"{way.__name__}: {len(rows)} commands", flush=True)
    # A command that cannot be chosen now is still found, but Enter does not execute it.
    lines = [*scene, "press Ctrl+Shift+P"]
    for row in commands:
        if not row["enabled"]:
            lines += [f'type "{row["title"]}"', f"expect commands.chosen_id = {row['id']}", "press Enter", "expect commands.box = commands",
                      "press Ctrl+Shift+P", "press Ctrl+Shift+P"]
    play(options.traceview, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())

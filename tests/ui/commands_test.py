#!/usr/bin/env python3
"""Every command of the list is found by its title in the command box, and stands in its menu, of a window with files open.
What keys do, scripts_test.py demands key by key."""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def play(traceview, lines):
    result = subprocess.run([traceview, "script", "-", "--size", "1366x768"], cwd=ROOT, input="\n".join(lines), capture_output=True, text=True,
                            timeout=300)
    assert result.returncode == 0, result.stderr
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    listed = json.loads(subprocess.run([options.traceview, "keys", "--json"], capture_output=True, text=True, check=True).stdout)
    commands = listed["commands"]
    assert len(commands) > 100, len(commands)
    with_keys = {row["id"] for row in listed["keys"]}
    assert with_keys <= {row["id"] for row in commands}, "an action of the key table is not in the list"
    box, menus = ["open assets/samples/rl_run", "press Ctrl+Shift+P"], []
    for row in commands:
        box += [f'type "{row["title"]}"', f"expect commands.chosen_id = {row['id']}", "press Ctrl+Shift+P", "press Ctrl+Shift+P"]
    for menu in sorted({row["menu"] for row in commands}):
        menus.append(f"click menu {menu}")
        for row in commands:
            if row["menu"] != menu or menu == "Analyse":  # that lists the panels that have data
                continue
            menus += [f'move menu "{row["title"]}"', "frames 1"]
        menus += [f"click menu {menu}", 'expect commands.menu = ""']
    menus += ["click menu Analyse", "move menu CDF", 'expect commands.menu_line = "Show: CDF"', "press Enter", "expect window.panel = cdf"]
    play(options.traceview, box + ["press Esc"] + menus)
    print(f"{len(commands)} commands")
    return 0


if __name__ == "__main__":
    sys.exit(main())

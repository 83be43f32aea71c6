#!/usr/bin/env python3
"""Chinese is typed, but no font has its letters: the window says once which package to install, and continues."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import skip_script  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]

SCRIPT = """open tests/ui/scripts/data/keys.json
expect window.notice = ""
press /
type 会议
expect window.notice ~ fonts-noto-cjk
expect search.said = "no hits"
expect window.boxes > 0
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    options = parser.parse_args()
    fonts = pathlib.Path("/usr/share/fonts/truetype/dejavu")
    if not fonts.is_dir():
        skip_script("not installed: fonts-dejavu-core")
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "fonts.conf"
        config.write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{folder}/cache</cachedir></fontconfig>")
        environment = dict(os.environ, FONTCONFIG_FILE=str(config))
        result = subprocess.run([options.traceview, "script", "-"], cwd=ROOT, input=SCRIPT, env=environment,
                                capture_output=True, text=True, timeout=120)
        print(result.stderr, end="")
        return result.returncode


if __name__ == "__main__":
    sys.exit(main())

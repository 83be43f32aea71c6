#!/usr/bin/env python3
"""The text boxes of dialogs, the command box, notes and the manual, by a real keyboard, as desktop_boxes_test.py tries those of panels.
Exit 77 without Xvfb, openbox, xdotool and xclip.

    python3 tests/ui/desktop_dialog_boxes_test.py --traceview build/release/app/traceview
"""

from desktop_boxes_test import DIALOGS, main

if __name__ == "__main__":
    main(DIALOGS)

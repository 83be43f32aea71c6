#!/usr/bin/python3
"""A small GTK window that files can be dragged from, as from a file manager. A press anywhere in it begins a drag of the text/uri-list
in the file that is its argument, which is read at the moment of the drop. For tests/ui/desktop_drop_test.py. It needs PyGObject and
GTK 3 of the system's Python (python3-gi, gir1.2-gtk-3.0); with --check it only tells by its exit status whether they are there.
"""

import sys

try:
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, Gtk
except (ImportError, ValueError):
    sys.exit(1)


def main():
    if sys.argv[1] == "--check":
        return
    window = Gtk.Window(title="drag source")
    window.set_default_size(120, 120)
    box = Gtk.EventBox()
    box.add(Gtk.Label(label="drag me"))
    # As file managers do: Shift asks for a move, which the window may still take as a copy.
    actions = Gdk.DragAction.COPY | Gdk.DragAction.MOVE | Gdk.DragAction.LINK
    box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [Gtk.TargetEntry.new("text/uri-list", 0, 0)], actions)

    def give(_box, _context, data, _info, _time):
        with open(sys.argv[1], "rb") as file:
            data.set(data.get_target(), 8, file.read())

    box.connect("drag-data-get", give)
    box.connect("drag-begin", lambda *_: print("begin", flush=True))
    box.connect("drag-failed", lambda *_: print("failed", flush=True))
    box.connect("drag-end", lambda *_: print("end", flush=True))
    window.add(box)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    print("ready", flush=True)
    Gtk.main()


main()

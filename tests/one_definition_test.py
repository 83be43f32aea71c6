#!/usr/bin/env python3
"""No function is defined twice in our libraries, inline in one file and differently in another; and no two headers define types of the
same name.

The linker does not report this: it keeps one of the two functions, and callers of the other run the wrong one. Functions
that the compiler expands inline cannot be found, so builds without optimisation find most: the fuzz preset.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys


def definitions(archive):
    """Pairs of an object file and its symbols, {name: whether it is strong}."""
    text = subprocess.run(["nm", "--defined-only", str(archive)], capture_output=True, text=True, check=True).stdout
    of_object = collections.defaultdict(dict)
    name = None
    for line in text.splitlines():
        if line.endswith(".o:"):
            name = line[:-1]
        fields = line.split()
        if len(fields) == 3 and fields[1] in "TW":
            of_object[name][fields[2]] = fields[1] == "T"
    return of_object.items()


def types_in_headers(root):
    """The types in headers by their full name, with the headers that define them. To the linker, types of the same name are one type."""
    places = collections.defaultdict(set)
    for header in sorted(path for folder in ("core", "ui", "app") for path in (root / folder).rglob("*.h")):
        namespaces = []
        for line in header.read_text().splitlines():
            if opened := re.match(r"namespace (\S+) ?\{", line):
                if "}" not in line:
                    namespaces.append(opened[1])
            elif line.startswith("}  // namespace") and namespaces:
                namespaces.pop()
            elif defined := re.match(r"(?:struct|class|enum class|enum) (\w+(?:::\w+)*)[^;]*$", line):
                places["::".join([*namespaces, defined[1]])].add(str(header.relative_to(root)))
    return places


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program, in its build folder")
    build = pathlib.Path(parser.parse_args().traceview).resolve().parents[1]
    archives = [archive for folder in ("core", "ui", "app") for archive in (build / folder).glob("*.a")]
    if not archives:
        print(f"{build} has no libraries")
        return 1
    strong, weak = {}, {}
    for archive in archives:
        for name, symbols in definitions(archive):
            for symbol, is_strong in symbols.items():
                (strong if is_strong else weak).setdefault(symbol, f"{archive.name}({name})")
    assert strong and weak, "nm printed nothing that was understood"
    twice = sorted(strong.keys() & weak.keys())
    for symbol in twice:
        print(f"{symbol} is defined in {strong[symbol]}, and inline in {weak[symbol]}")
    places = types_in_headers(pathlib.Path(__file__).resolve().parents[1])
    assert len(places) > 100, "no types were found"
    for name, headers in places.items():
        if len(headers) > 1:
            print(f"{name} is defined in {' and in '.join(sorted(headers))}")
            twice.append(name)
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())

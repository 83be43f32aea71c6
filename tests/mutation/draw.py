"""Finds the places for small faults in C++ sources and writes the sources with the faults in them, for mutate.py.

A place is a condition, a `return`, an assignment, a declaration with a value or a call that is a statement. Its fault is one
changed operator, constant or member, or the statement left out. The source holds both versions, and `tv_mutant(n)` chooses one
at run time. So thousands of faults are compiled at once, and no line moves."""

import re

# Changes within an expression: a pattern, and what replaces it. They apply to text whose comments and strings are blank.
CHANGES = [
    (r" < ", [" <= "]), (r" <= ", [" < "]), (r" > ", [" >= "]), (r" >= ", [" > "]),
    (r" == ", [" != "]), (r" != ", [" == "]),
    (r" \+ ", [" - "]), (r" - ", [" + "]), (r" \* ", [" / "]), (r" / ", [" * "]),
    (r" && ", [" || "]), (r" \|\| ", [" && "]),
    (r"(?<![\w)])!(?=[\w(*])", [""]),
    (r"(?<![\w.'])0(?![\w.'])", ["1"]), (r"(?<![\w.'])1(?![\w.'])", ["0", "2"]),
    (r"\bmin\(", ["max("]), (r"\bmax\(", ["min("]), (r"\bmin<", ["max<"]), (r"\bmax<", ["min<"]),
    (r"(?<=[.>])begin\b(?!\()", ["end"]), (r"(?<=[.>])end\b(?!\()", ["begin"]),
    (r"\blower_bound\b", ["upper_bound"]), (r"\bupper_bound\b", ["lower_bound"]),
    (r"\btrue\b", ["false"]), (r"\bfalse\b", ["true"]),
    (r"\bp50\b", ["p95"]), (r"\bp95\b", ["p99"]), (r"\bp99\b", ["p95"]),
    (r"(?<=\.)x\b", ["y"]), (r"(?<=\.)y\b", ["x"]), (r"(?<=\.)width\b", ["height"]), (r"(?<=\.)height\b", ["width"]),
    (r"(?<=\.)first\b", ["second"]), (r"(?<=\.)second\b", ["first"]),
    (r"\bfront\(\)", ["back()"]), (r"\bback\(\)", ["front()"]), (r"\bfloor\(", ["ceil("]), (r"\bceil\(", ["floor("]),
    (r"\+\+(?=\w)", ["--"]), (r"(?<![\w)\]])-(?=[\w(])", [""]),
]
NO_STATEMENT = re.compile(r"(struct|class|enum|union|namespace|template|using|typedef|static_assert|constexpr|static|extern|"
                          r"default|goto|public|private|protected|friend|inline|concept|requires|switch|do|try|catch|else|"
                          r"break|continue|thread_local|__extension__|delete|throw|operator)\b|\[\[|#|co_")
CALL = re.compile(r"(\*?[A-Za-z_][\w:]*(?:(?:\.|->|\[[^\]\[]*\]|\(\)|<[\w:, *&]*>|::)[\w:]*)*)\(")
ASSIGN = re.compile(r"([\w:.*\[\]()>-]+?) ([-+*/|&^%]?=) (?!=)")
DECLARE = re.compile(r"(?:const )?[A-Za-z_][\w:<>,* &]* (?:\w+|\[[\w, ]+\]) = ")
# Leaving these calls out only costs time or memory, or checks less.
ONLY_COST = re.compile(r"(reserve|shrink_to_fit|prefetch|assert|advise\w*|IM_ASSERT)\(")
OPPOSITE = {"+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|="}


def masked(text):
    """The text with comments, strings and lines of the preprocessor blanked out; every newline stays."""
    def blank(found):
        whole = found.group(0)
        if whole.startswith(("'", '"', "R\"")) and len(whole) >= 2:
            return whole[0] + re.sub(r"[^\n]", "\x01", whole[1:-1]) + whole[-1]
        return re.sub(r"[^\n]", " ", whole)
    pattern = (r"//[^\n]*|/\*.*?\*/|\bR\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"
               r"|^[ \t]*#(?:\\\n|[^\n])*")
    return re.sub(pattern, blank, text, flags=re.S | re.M)


def closing(text, at):
    """The place of the bracket that closes the one at `at`, or None."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return None


def end_of_statement(text, at):
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth < 0:
                return None
        elif text[i] == ";" and depth == 0:
            return i
    return None


def changes(text, begin, end):
    """The possible changes of an expression as (begin, end, new text). The body of a lambda is left out: it has statements of
    its own."""
    found, depth = [], 0
    inside = set()
    for i in range(begin, end):
        if text[i] == "{" and re.search(r"[\])]\s*(?:mutable |const |-> [\w:<>&* ]+)*\s*$", text[max(begin, i - 60):i]):
            stop = closing(text, i)
            inside.update(range(i, stop or end))
    for pattern, news in CHANGES:
        for hit in re.finditer(pattern, text[begin:end]):
            if begin + hit.start() not in inside:
                found += [(begin + hit.start(), begin + hit.end(), new) for new in news]
    return sorted(found)


def starts(text):
    """The places where statements begin."""
    places = {m.end() for m in re.finditer(r"[;{}]\s*|\belse |(?:\bcase [\w:']+|\bdefault):\s+", text)}
    for control in re.finditer(r"\b(?:if|while|for)(?: constexpr)? \(", text):
        stop = closing(text, control.end() - 1)
        if stop:
            places.add(stop + 1 + len(text[stop + 1:]) - len(text[stop + 1:].lstrip()))
    return sorted(places)


def with_change(original, begin, end, change):
    """The piece [begin, end) of the original with one change in it."""
    a, b, new = change
    return original[begin:a] + new + original[b:end]


class Fault:
    """One fault: the piece [begin, end) of a file becomes before + number + after."""

    def __init__(self, file, begin, end, before, after, line, says):
        self.file, self.begin, self.end, self.before, self.after = file, begin, end, before, after
        self.line, self.says = line, says

    def wrapped(self, number):
        return self.before + f"tv_mutant({number})" + self.after


def faults_of(file, original):
    """All faults that can be put into a file."""
    text = masked(original)
    found = []

    def add(begin, end, before, after, change, left_out=False):
        if "//" in original[begin:end] or 'R"' in original[begin:end]:
            return  # both versions are written on one line, which a comment would cut off
        line = original.count("\n", 0, change[0] if change else begin) + 1
        row = original.split("\n")[line - 1]
        if left_out:
            says = "left out: " + " ".join(original[begin:end].split())
        else:
            at = change[0] - (original.rfind("\n", 0, change[0]) + 1)
            says = (row[:at] + "[" + row[at:at + change[1] - change[0]] + " => " + change[2] + "]"
                    + row[at + change[1] - change[0]:]).strip()
        found.append(Fault(file, begin, end, before, after, line, says))

    def choose(begin, end, form):
        for change in changes(text, begin, end):
            before, after = form(original[begin:end], with_change(original, begin, end, change))
            add(begin, end, before, after, change)

    def as_condition(old, new):
        return "(", f" ? static_cast<bool>({new}) : static_cast<bool>({old}))"

    def as_value(old, new):
        return "(", f" ? ({new}) : ({old}))"

    def as_statement(old, new):
        return "if (", f") {new}; else {old}"

    for at in starts(text):
        control = re.compile(r"(if|while|for) \(").match(text, at)
        if control:
            stop = closing(text, control.end() - 1)
            if stop is None:
                continue
            begin, end = control.end(), stop
            parts = [i for i in range(begin, end) if text[i] == ";" and text[begin:i].count("(") == text[begin:i].count(")")
                     and text[begin:i].count("{") == text[begin:i].count("}")]
            if control.group(1) == "for":
                if len(parts) != 2:
                    continue
                begin, end = parts[0] + 1, parts[1]
            elif parts:
                begin = parts[-1] + 1
            elif re.search(r" = ", text[begin:end]):
                continue
            if text[begin:end].strip():
                choose(begin, end, as_condition)
            continue
        end = end_of_statement(text, at)
        if end is None or NO_STATEMENT.match(text, at):
            continue
        if text.startswith("return ", at):
            choose(at, end, as_statement)
            continue
        call = CALL.match(text, at)
        if call and call.group(1) not in ("if", "while", "for", "switch", "return", "sizeof", "assert"):
            stop = closing(text, call.end() - 1)
            while stop is not None and re.match(r"\.\w+\(", text[stop + 1:stop + 60]):
                stop = closing(text, text.index("(", stop + 1))
            if stop is not None and stop + 1 == end and not ONLY_COST.search(text, at, call.end()):
                before, after = "if (", ") {} else " + original[at:end]
                add(at, end, before, after, None, left_out=True)
                choose(at, end, as_statement)
                continue
        assign = ASSIGN.match(text, at)
        if assign and assign.end() <= end:
            if assign.group(2) in OPPOSITE:
                a = assign.start(2)
                change = (a, assign.end(2), OPPOSITE[assign.group(2)])
                before, after = as_statement(original[at:end], with_change(original, at, end, change))
                add(at, end, before, after, change)
            else:
                before, after = "if (", ") {} else " + original[at:end]
                add(at, end, before, after, None, left_out=True)
            choose(at, end, as_statement)
            continue
        step = re.compile(r"(\+\+|--)[\w.\[\]>-]+").match(text, at)
        if step and step.end() == end:
            change = (at, at + 2, "--" if step.group(1) == "++" else "++")
            before, after = as_statement(original[at:end], with_change(original, at, end, change))
            add(at, end, before, after, change)
            continue
        declare = DECLARE.match(text, at)
        if declare and declare.end() <= end and text[declare.end()] not in "{[" and "," not in outer(text, declare.end(), end):
            choose(declare.end(), end, as_value)
    return found


def outer(text, begin, end):
    """The text without the parts in brackets."""
    depth, out = 0, []
    for letter in text[begin:end]:
        depth += letter in "([{"
        if depth == 0:
            out.append(letter)
        depth -= letter in ")]}"
    return "".join(out)

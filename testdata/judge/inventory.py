#!/usr/bin/python3
"""inventory asks webcap list and webcap find about captures, and compares their answers with what pikepdf reads.

inventory.py WEBCAP [FILE...]    print a line per difference; exit 1 if there are any

Without files, it takes those of testdata, the real captures of the corpus, captures with mutations, and captures whose
trees are damaged. Each key of URLS and IDS is looked up, each URL and ID of a content set, and keys that no tree has.
"""

import io
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, String

import mutate
from generate import Generator
from operations import HERE
from reader import get, is_dictionary, open_pdf, string_of
from viewer import canonical, lookups
from webcap import Program, parsed

KINDS = {Name.SPS: "page", Name.SIS: "image"}
SEEDS = [*range(0, 80 * mutate.BATCH, mutate.BATCH + 1), *range(mutate.WIDE, mutate.WIDE + 5000, mutate.BATCH + 1)]
COMPARED = ("found", "missed", "other capture")  # other forms of a URL are webcap's own idea
PLAIN = re.compile(rb"[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]*[!-)+-~]")  # URLs that a line of --urls-from can hold


@dataclass
class Row:
    """Row is a content set as webcap list shows it."""

    number: int  # of the object; 0 if it is direct
    kind: str = ""
    values: dict = field(default_factory=dict)
    destinations: list = field(default_factory=list)
    redirects: list = field(default_factory=list)
    id: bytes = b""
    pages: list = field(default_factory=list)


class Inventory:
    """Inventory is the content database of an open file."""

    def __init__(self, pdf):
        names = get(pdf.Root, "Names")
        self.trees = {name: get(names, name) for name in ("URLS", "IDS")}
        self.numbers, self.unclear = {}, 0
        for n, page in enumerate(pages_below(get(pdf.Root, "Pages"), set()), 1):
            self.numbers.setdefault(page.objgen, []).append(n)
        self.entries = {name: list(entries_below(root, set())) for name, root in self.trees.items()}
        self.rows = [self.row(s) for s in self.sets()]

    def sets(self):
        """Yield the content sets: those that are objects once, and each that stands in a tree or in an array."""
        seen = set()
        for _, value in self.entries["URLS"] + self.entries["IDS"]:
            if isinstance(value, Array) and value.is_indirect and value.objgen in seen:
                continue
            if isinstance(value, Array):
                seen.add(value.objgen)
            for s in sets_of(value):
                if not (s.is_indirect and s.objgen in seen):
                    yield s
                if s.is_indirect:
                    seen.add(s.objgen)

    def row(self, s):
        out = Row(s.objgen[0], KINDS.get(get(s, "S"), "other"), id=string_of(get(s, "ID")) or b"")
        sources = []
        for source in sources_of(s):
            address = get(source, "AU")
            destination, chains = string_of(address), []
            if is_dictionary(address):
                destination = string_of(get(address, "U"))
                chains = [strings(c) for c in items(get(address, "C")) if isinstance(c, Array)]
            sources.append((shown(destination), [[shown(u) for u in chain] for chain in chains]))
            out.destinations += [destination] if destination is not None else []
            out.redirects += [u for chain in chains for u in chain]
        members = [m for m in items(get(s, "O")) if getattr(m, "is_indirect", False)]
        out.pages = sorted({n for m in members for n in self.numbers.get(m.objgen, ())})
        dates = [get(s, "TS"), *(get(source, "TS") for source in sources_of(s))]
        title, url = get(s, "T"), next((u for u in out.destinations if u), None)
        out.values = {
            "kind": out.kind,
            "url": shown(url if url is not None else self.key_of(s)),
            "captured": next((t for t in map(date, dates) if t), None),
            "title": str(title) if isinstance(title, String) else "",
            "contentType": shown(string_of(get(s, "CT"))),
            "id": out.id.hex(),
            "pages": out.pages if out.kind == "page" else None,
            "members": [m.objgen[0] for m in members],
            "sources": sources,
        }
        return out

    def key_of(self, s):
        """Return the first key of URLS that leads to a content set."""
        return next((k for k, v in self.entries["URLS"] if any(is_same(s, e) for e in sets_of(v))), None)

    def questions(self):
        """Return what to ask: keys, URLs, and IDs, and some that the file does not have."""
        ids = {k for k, _ in self.entries["IDS"]} | {row.id for row in self.rows}
        urls = {k for k, _ in self.entries["URLS"]} | {u for row in self.rows for u in row.destinations + row.redirects}
        urls = {u for u in urls if PLAIN.fullmatch(u)}
        ids = {i for i in ids if len(i) == 16}
        absent = {u + b"x" for u in urls} | {u[:-1] for u in urls if PLAIN.fullmatch(u[:-1])}
        absent.add(b"http://absent.example/")
        return {u.decode(): ("URLS", canonical(u)) for u in urls | absent} | {
            i.hex(): ("IDS", i) for i in ids | {bytes([i[0] ^ 128]) + i[1:] for i in ids} | {bytes(16)}
        }

    def answers(self, tree, key):
        """Return the possible answers to a question: how often each content set answers it, and how."""
        answers = [self.answer(tree, key, value) for value in lookups(self.trees[tree], key)]
        self.unclear += any(a != answers[0] for a in answers)
        return answers

    def answer(self, tree, key, value):
        """Return the answer of a viewer that comes to a value."""
        found = Counter()
        for row in map(self.row, sets_of(value)):
            found[row.number, "found" if agrees(row, tree, key) else "other capture"] += 1
            if row.kind == "page" and not row.pages:
                found[row.number, "missed"] += found.pop((row.number, "found"), 0)
        if any(how == "found" for _, how in found):
            return found
        found = Counter({k: n for k, n in found.items() if k[1] == "other capture"})
        below = {row.number for k, v in self.entries[tree] if k == key for row in map(self.row, sets_of(v))}
        for row in self.rows:
            says = row.id == key if tree == "IDS" else key in map(canonical, row.destinations)
            nothing = not row.id if tree == "IDS" else not row.destinations + row.redirects
            if says or nothing and row.number and row.number in below:
                found[row.number, "missed"] += 1
        return found


def agrees(row, tree, key):
    """Report whether a content set is of a URL or has an ID, or does not say."""
    if tree == "IDS":
        return row.id in (b"", key)
    urls = row.destinations + row.redirects
    return not urls or key in map(canonical, urls)


def pages_below(node, seen):
    """Yield the pages of the page tree in order."""
    if not is_dictionary(node):
        return
    kids = get(node, "Kids")
    if not isinstance(kids, Array):
        yield node
    elif node.objgen not in seen:
        seen.add(node.objgen)
        for kid in kids:
            yield from pages_below(kid, seen)


def entries_below(node, seen):
    """Yield the keys and values of a name tree."""
    if not is_dictionary(node) or (node.is_indirect and node.objgen in seen):
        return
    seen.add(node.objgen)
    for kid in items(get(node, "Kids")):
        yield from entries_below(kid, seen)
    pairs = items(get(node, "Names"))
    for key, value in zip(pairs[::2], pairs[1::2]):
        if string_of(key) is not None:
            yield string_of(key), value


def sets_of(value):
    """Return the content sets of a value."""
    return [s for s in (list(value) if isinstance(value, Array) else [value]) if is_dictionary(s) and is_set(s)]


def is_set(s):
    """Report whether two of four required entries make a dictionary a content set, as format-captures.md says."""
    signs = (
        get(s, "S") in KINDS,
        isinstance(get(s, "ID"), String),
        isinstance(get(s, "O"), Array),
        bool(sources_of(s)),
    )
    return sum(signs) >= 2


def sources_of(s):
    sources = get(s, "SI")
    return [x for x in (list(sources) if isinstance(sources, Array) else [sources]) if is_dictionary(x)]


def is_same(a, b):
    return a.objgen == b.objgen if a.is_indirect else a is b


def items(array):
    return list(array) if isinstance(array, Array) else []


def strings(array):
    return [bytes(s) for s in array if isinstance(s, String)]


def shown(data):
    """Return bytes as JSON shows them."""
    return (data or b"").decode("utf-8", "backslashreplace")


def date(obj):
    """Return a date in UTC as ISO 8601 text, None if it is not a date. One without a zone is in UTC."""
    parts = re.fullmatch(
        rb"D:(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d\d)?)?)?)?)?(?:Z|([-+Z])(\d\d)(?:'(?:(\d\d)'?)?)?)?",
        string_of(obj) or b"",
    )
    if not parts:
        return None
    numbers = [int(n) if n else least for n, least in zip(parts.groups()[:6], (0, 1, 1, 0, 0, 0))]
    hours, minutes = int(parts[8] or 0), int(parts[9] or 0)
    ahead = timedelta(hours=hours, minutes=minutes) * {b"+": 1, b"-": -1}.get(parts[7], 0)
    try:
        when = datetime(*numbers, tzinfo=timezone.utc) - ahead
    except (ValueError, OverflowError):
        return None
    return when.strftime("%Y-%m-%dT%H:%M:%SZ") if hours < 24 and minutes < 60 else None


# What webcap says


def listed(capture):
    """Return the number and the values of a capture of webcap list."""
    sources = [(s.get("url", ""), s.get("redirects", [])) for s in capture["sources"]]
    pages = [n for r in capture["pages"] for n in range(r["first"], r["last"] + 1)]
    return capture.get("object", {"num": 0})["num"], {
        "kind": capture["kind"],
        **{name: capture.get(name, "") for name in ("url", "title", "contentType", "id")},
        "captured": capture.get("captured"),
        "pages": pages if capture["kind"] == "page" else None,
        "members": [m["num"] for m in capture["members"]],
        "sources": sources,
    }


def list_differences(inventory, captures):
    """Yield how webcap list differs from the file."""
    want, have = {}, {}
    for rows, pairs in ((want, ((r.number, r.values) for r in inventory.rows)), (have, map(listed, captures))):
        for number, values in pairs:
            rows.setdefault(number, []).append(values)
    for number in sorted(want.keys() | have.keys()):
        a, b = (sorted(rows.get(number, ()), key=repr) for rows in (want, have))
        if len(a) != len(b):
            yield f"content set {number}: listed {len(b)} times, expected {len(a)}"
        for x, y in zip(a, b):
            for name in x:
                if x[name] != y[name]:
                    yield f"content set {number}: {name} is {y[name]!r}, expected {x[name]!r}"


def find_differences(inventory, questions, matches):
    """Yield how webcap find differs from viewers."""
    have, pages = {text: Counter() for text in questions}, {row.number: row.pages for row in inventory.rows}
    for m in matches:
        number, values = listed(m["capture"])
        if m["answer"] in COMPARED:
            have[m["query"]][number, m["answer"]] += 1
        if number and values["pages"] not in (None, pages.get(number)):
            yield f"find {m['query']}: pages is {values['pages']}, expected {pages.get(number)}"
    for text, (tree, key) in questions.items():
        possible = inventory.answers(tree, key)
        if have[text] not in possible:
            yield f"find {text}: {answer_text(have[text])}, expected {answer_text(possible[0])}"


def answer_text(answer):
    return ", ".join(f"{n or 'direct'} {how}" for n, how in sorted(answer.elements())) or "absent"


def compare(program, path, questions_file):
    """Return what was counted in a file, and the differences."""
    with open_pdf(path) as pdf:
        inventory = Inventory(pdf)
        questions = inventory.questions()
        Path(questions_file).write_text("".join(text + "\n" for text in questions))
        said = [
            parsed(program.run(*arguments, "--format", "json", path).stdout).get("files") or [{}]
            for arguments in (["list"], ["find", "--urls-from", questions_file])
        ]
        captures, matches = (files[0].get(name) for files, name in zip(said, ("captures", "matches")))
        if captures is None or matches is None:
            return Counter(files=1), [f"webcap reads nothing: {[files[0].get('reason') for files in said]}"]
        found = [*list_differences(inventory, captures), *find_differences(inventory, questions, matches)]
        return Counter(files=1, sets=len(inventory.rows), questions=len(questions), unclear=inventory.unclear), found


# Files


def damaged_trees():
    """Yield captures whose trees are damaged, with the kind of damage."""
    for kind, damage in DAMAGE.items():
        for seed in (1, 2, 3):
            g = Generator(seed, pages=7, images=6)
            g.kids = True
            with g.make() as pdf:
                for tree in ("URLS", "IDS"):
                    damage(pdf, pdf.Root.Names["/" + tree])
                out = io.BytesIO()
                pdf.save(out, static_id=True)
                yield f"{kind} {seed}", out.getvalue()


def swap(array, i, j):
    array[i], array[j] = array[j], array[i]


def deepen(pdf, root):
    """Put another level between the root and its kids."""
    kids = list(root.Kids)
    halves = [kids[: len(kids) // 2], kids[len(kids) // 2 :]]
    nodes = [Dictionary(Kids=Array(h), Limits=Array([h[0].Limits[0], h[-1].Limits[1]])) for h in halves]
    root.Kids = Array([pdf.make_indirect(n) for n in nodes])


def flatten(_, root):
    root.Names = Array([v for kid in root.Kids for v in kid.Names][::-1])
    for i in range(0, len(root.Names) - 1, 2):
        swap(root.Names, i, i + 1)
    del root["/Kids"]


DAMAGE = {
    "no damage": lambda pdf, root: None,
    "two levels": deepen,
    "keys of a leaf exchanged": lambda pdf, root: swap(root.Kids[0].Names, 0, 2),
    "values of a leaf exchanged": lambda pdf, root: swap(root.Kids[0].Names, 1, 3),
    "kids exchanged": lambda pdf, root: swap(root.Kids, 0, 1),
    "Limits too narrow": lambda pdf, root: root.Kids[0].Limits.__setitem__(1, root.Kids[0].Limits[0]),
    "Limits exchanged": lambda pdf, root: swap(root.Kids[0].Limits, 0, 1),
    "Limits of the next leaf": lambda pdf, root: root.Kids[0].__setitem__("/Limits", root.Kids[1].Limits),
    "no Limits": lambda pdf, root: root.Kids[1].__delitem__("/Limits"),
    "Limits of one key": lambda pdf, root: root.Kids[1].Limits.__delitem__(0),
    "Limits are numbers": lambda pdf, root: root.Kids[1].__setitem__("/Limits", Array([1, 2])),
    "a kid is null": lambda pdf, root: root.Kids.__setitem__(1, None),
    "a key without a value": lambda pdf, root: root.Kids[0].Names.__delitem__(len(root.Kids[0].Names) - 1),
    "a key twice": lambda pdf, root: root.Kids[0].Names.__setitem__(2, root.Kids[0].Names[0]),
    "a leaf twice": lambda pdf, root: root.Kids.append(root.Kids[0]),
    "one node in reverse order": flatten,
}


def files(folder):
    """Yield the name and the path of each file to compare."""
    for path in sorted([*HERE.parent.glob("*.pdf"), *mutate.CORPUS.glob("*.pdf")]):
        yield path.name, path
    for n, (name, data) in enumerate([*((f"seed {s}", mutate.mutated(s)[1]) for s in SEEDS), *damaged_trees()]):
        path = Path(folder, f"{n}.pdf")
        path.write_bytes(data)
        yield name, path


def main(arguments):
    program, totals, differences = Program(arguments[0]), Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        chosen = [(name, Path(name)) for name in arguments[1:]] or list(files(folder))

        def run(job):
            n, (name, path) = job
            try:
                return name, *compare(program, path, Path(folder, f"{n}.txt"))
            except (pikepdf.PasswordError, pikepdf.PdfError) as error:
                return name, Counter(), [error]

        with ThreadPoolExecutor(2) as pool:
            for name, counts, found in pool.map(run, enumerate(chosen)):
                totals += counts
                differences += len(found) if counts else 0
                for difference in found:
                    print(f"{name}: {difference}" if counts else f"{name}: not compared: pikepdf cannot read it")
    print(
        f"{totals['files']} files, {totals['sets']} content sets, {totals['questions']} questions, of which viewers "
        f"answer {totals['unclear']} in several ways: {differences} differences"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

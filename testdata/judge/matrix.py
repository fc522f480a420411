#!/usr/bin/python3
"""matrix has tools rewrite captures and webcap repair the results, and lets the judge decide what became of them.

matrix.py run WEBCAP [CAPTURE...] [--json FILE] [--markdown FILE] [--only WORD] [--every N] [--again JSON]
matrix.py report JSON... [--details]

Without captures it takes the real ones of ../shared/corpus next to the repository, those of testdata, and generated
ones. A cell is one operation on one capture. Its outcome is kept, repaired (by webcap rewrite), from (by webcap
rewrite --from), or lost. A cell is worse if a repair makes a value wrong that was right after the operation.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pikepdf

from compare import Comparison, change
from generate import Generator
from likeness import similar_pages
from operations import HERE, OPERATIONS
from reader import read
from webcap import ON_REQUEST, Program

ROOT = HERE.parent.parent
OUTCOMES = ("kept", "repaired", "from", "lost")  # others: refused by the tool, and not judged
LIMIT = 120  # seconds for a command of a tool
ADDITIONS = ("set added", "set copied", "key added", "command added", "member added")
SEEDS = (4, 9, 11)  # generated captures


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("webcap")
    run.add_argument("captures", nargs="*")
    run.add_argument("--json", help="Write all cells to this file")
    run.add_argument("--markdown", help="Write the table to this file")
    run.add_argument("--only", default="", help="Only operations with this word in their name")
    run.add_argument("--every", type=int, default=1, help="Only each N-th cell")
    run.add_argument("--again", help="Only cells that were lost, refused, worse, or not run in this earlier JSON")
    run.add_argument("--jobs", type=int, default=2)
    run.add_argument("--pdfcpu", default="", help="Program made of tools/pdfcpu [default: build it]")
    report = commands.add_parser("report")
    report.add_argument("json", nargs="+")
    report.add_argument("--details", action="store_true", help="Also list what is lost, worse, and invented")
    o = parser.parse_args(arguments)
    return run_report(o) if o.command == "report" else run_matrix(o)


def run_report(o):
    """Print the table of earlier runs. A cell of a later file replaces that of an earlier one."""
    cells = {}
    for path in o.json:
        cells |= {(c["tool"], c["capture"]): c for c in json.loads(Path(path).read_text())["cells"]}
    print(markdown(list(cells.values())))
    if o.details:
        print(details(list(cells.values())))
    return 0


def run_matrix(o):
    with tempfile.TemporaryDirectory() as folder:
        paths = prepare(Path(folder), o)
        operations = [op for op in OPERATIONS if o.only.lower() in op.name.lower()]
        missing = {op.name: op.missing() for op in operations if op.missing()}
        jobs = [(op, path, folder, o.webcap) for op in operations if op.name not in missing for path in paths]
        done = good_cells(o.again) if o.again else set()
        jobs = [j for j in jobs if (j[0].name, Path(j[1]).name) not in done]
        with ProcessPoolExecutor(o.jobs) as pool:
            cells = list(pool.map(run_cell, jobs[:: o.every]))
    for name, need in missing.items():
        print(f"{name} needs {need}", file=sys.stderr)
    if o.json:
        Path(o.json).write_text(json.dumps({"cells": cells, "missing": missing}, indent=1))
    text = markdown(cells)
    if o.markdown:
        Path(o.markdown).write_text(text)
    else:
        print(text)
    bad = [c for c in cells if c["outcome"] == "not judged" or is_worse(c)]
    if bad:
        print(details(bad), file=sys.stderr)
    return 1 if bad else 0


def good_cells(path):
    """Return the cells of an earlier run that need no look: nothing was lost, and no repair made anything worse."""
    cells = json.loads(Path(path).read_text())["cells"]
    return {(c["tool"], c["capture"]) for c in cells if c["outcome"] in OUTCOMES[:3] and not is_worse(c)}


def prepare(folder, o):
    """Write the other files that operations need, and return the captures: those whose database is there."""
    other = pikepdf.new()
    other.add_blank_page()
    other.add_blank_page()
    other.save(folder / "other.pdf")
    (folder / "capture.pdf").write_bytes(Generator(100, pages=2, images=2).data())
    (folder / "file.txt").write_text("file\n")
    program = o.pdfcpu or str(folder / "pdfcpu")
    if not o.pdfcpu and shutil.which("go"):
        subprocess.run(["go", "build", "-o", program, "./testdata/judge/tools/pdfcpu"], cwd=ROOT, check=False)
    os.environ["PDFCPU"] = program
    paths = [Path(p) for p in o.captures]
    if not paths:
        paths = sorted((ROOT / ".." / "shared" / "corpus" / "real").glob("*.pdf"))
        paths += [ROOT / "testdata" / "site.pdf", ROOT / "testdata" / "capture.pdf"]
        for seed in SEEDS:
            paths.append(folder / f"generated-{seed}.pdf")
            paths[-1].write_bytes(Generator(seed).data())
    return [p for p in paths if is_capture(p)]


def is_capture(path):
    try:
        return not read(str(path)).empty
    except (pikepdf.PdfError, pikepdf.PasswordError):  # damaged, or encrypted with a password
        return False


ORIGINALS = {}


def original_of(path):
    if path not in ORIGINALS:
        ORIGINALS[path] = read(path)
    return ORIGINALS[path]


def run_cell(job):
    """Run one operation on one capture, both repairs, and the judge."""
    operation, path, shared, program = job
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copy(path, place / "in.pdf")
        for name in ("other.pdf", "capture.pdf", "file.txt"):
            shutil.copy(Path(shared, name), place)
        cell = {"tool": operation.name, "capture": Path(path).name, "outcome": "refused"}
        if not apply(operation, place):
            return cell
        try:
            judge_cell(cell, operation, str(path), place, Program(program))
        except Exception as error:  # a cell that cannot be judged is a result, too
            cell["outcome"] = "not judged"
            cell["error"] = f"{type(error).__name__}: {error}"
        return cell


def apply(operation, place):
    """Run the commands of an operation. Report whether it left a PDF file."""
    words = {"IN": "in.pdf", "OUT": "out.pdf", "OTHER": "other.pdf", "CAPTURE": "capture.pdf", "FILE": "file.txt"}
    words |= {"HERE": str(HERE), "PDFCPU": os.environ.get("PDFCPU", "pdfcpu")}
    commands = [re.sub(r"\b(" + "|".join(words) + r")\b", lambda m: words[m[1]], c) for c in operation.commands]
    if operation.python:
        (place / "program.py").write_text("a, b, c = 'in.pdf', 'out.pdf', 'capture.pdf'\n" + operation.python)
        commands.append("/usr/bin/python3 program.py")
    for command in commands:
        try:
            subprocess.run(command, shell=True, cwd=place, capture_output=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return False
    try:
        with pikepdf.open(place / "out.pdf") as pdf:
            return len(pdf.pages) > 0
    except (OSError, pikepdf.PdfError, pikepdf.PasswordError):
        return False


def judge_cell(cell, operation, path, place, program):
    original, out = original_of(path), str(place / "out.pdf")

    def compared(file):
        other = read(file)
        return Comparison(original, other, similar_pages(original, other) if operation.rewrites else None)

    before = compared(out)
    cell["after"] = kinds(held(before, operation))
    repairs = {"repaired": (), "from": ("--from", path)}
    outcome = "kept" if not cell["after"] else None
    known = program.findings(path)
    known_out, promised = program.findings(out), program.promised(out)
    for name, options in repairs.items():
        r = program.rewrite(out, str(place / f"{name}.pdf"), *options)
        after = before if r.path == out else compared(r.path)
        found, delta = held(after, operation), change(before, after)
        found_rules = program.findings(r.path)
        foreign = ("WC521",) if operation.merges else ()  # pages of the other capture have IDs
        allowed = {k: max(known_out.get(k, 0), known.get(k, 0)) for k in set(known) | set(known_out)}
        cell[name] = {
            "code": r.code,
            "steps": len(r.steps),
            "promised": promised,
            "left": len(r.left),
            "full": r.full,
            "said": r.said[:400],
            "differences": [d.data() for d in found],
            "worse": [d.data() for d in held(after, operation, delta.worse)],
            "invented": [d.data() for d in held(after, operation, delta.invented)],
            "better": delta.better,
            "lost": [{"set": d.place, "reason": d.reason} for d in found if d.kind == "set lost"],
            "findings": {k: n for k, n in found_rules.items() if n > allowed.get(k, 0) and k not in foreign},
            "again": len(program.plan(r.path, *options)) if r.path != out else 0,
        }
        if outcome is None and not found:
            outcome = name
    cell["outcome"] = outcome or "lost"


def held(comparison, operation, differences=None):
    """Return the differences that count against a tool: not what it was told to do, nor what that entails."""
    gone = {d.fact[1] for d in comparison.differences if d.kind == "set lost" and excused(d, operation)}
    empty = len(gone) == len(comparison.a.sets)
    found = comparison.differences if differences is None else differences
    return [d for d in found if not is_excused(d, operation, gone) and not (empty and d.kind == "tree lost")]


def excused(d, operation):
    """Report whether a set may be lost: no page painted its images, or its pages were taken out on purpose."""
    gone = d.reason.startswith("its ") and "not in the file" in d.reason
    return gone and (operation.takes or d.reason.endswith("no page painted them"))


def is_excused(d, operation, gone):
    if d.kind in ("set lost", "page moved"):
        return d.kind == "page moved" or d.fact[1] in gone
    if d.fact[0] == "entry" and d.fact[3] in gone:
        return True
    if operation.merges and (d.kind in ADDITIONS or d.kind == "page ID" and set(d.was) <= set(d.now)):
        return True
    if operation.merges and "with itself" in operation.name and d.fact[0] == "value" and d.fact[2] == "R":
        return True  # R counts references, of which there are twice as many
    if not operation.takes:
        return False
    if d.kind in ("member lost", "member replaced"):
        return d.reason == "it is not in the file"
    return d.kind == "page taken out" or d.fact[0] == "value" and d.fact[2] == "R"


def kinds(differences):
    return dict(Counter(d.kind for d in differences))


PDFCPU = """
## How pdfcpu damages keys

For the maintainers of pdfcpu: a minimal reproduction. `testdata/site.pdf` has six keys in IDS, each of 16 bytes.

    pdfcpu optimize testdata/site.pdf optimized.pdf
    webcap audit optimized.pdf

The keys of a name tree are strings of bytes (ISO 32000-2:2020, 7.9.6). pdfcpu decodes them as text strings when it reads
the tree, and writes them as UTF-8. A byte that PDFDocEncoding does not define becomes U+FFFD, so it is lost. The keys are
then no longer in order, either.

Tried: 0.4.2, 0.14.0, and 0.15.0 do this; the last releases of 0.5 to 0.13 do not. A Go program that uses pdfcpu sees the
damage before it writes: see `webcapture.FromPdfcpu`.
"""

PAGE = """# What tools do to a content database

What do other tools leave of a content database, and what does webcap restore? In short:

- Tools that save the same file, such as `qpdf` and `mutool clean`, keep the database.
- Tools that copy pages into a new file drop it. This includes most ways to merge and split. webcap restores it if you have
  the original (`webcap rewrite --from`).
- `pdfcpu` damages the keys of IDS. webcap repairs them without the original.
- Tools that draw pages anew, such as Ghostscript and `pdftocairo`, replace images and pages. webcap restores only a part.

[Repairs](repairs.md) has the principle. `testdata/judge/matrix.py run WEBCAP --markdown docs/tools.md` makes this page.

## Figures

Each tool gets the real captures of the corpus and generated ones. The judge in `testdata/judge`, which shares no code
with webcap, compares each result with the original:

- **kept**: the tool left the database as it was.
- **repaired**: `webcap rewrite` restores it.
- **with `--from`**: `webcap rewrite --from ORIGINAL` restores it.
- **lost**: something is still missing or wrong.
- **worse**: a repair made a value wrong that was right after the operation. The goal is 0.

Pages that were taken out on purpose do not count, and neither do images that no page paints. Files that a tool rejects are
left out.
"""


def markdown(cells):
    """Return docs/tools.md."""
    lines = [PAGE, "| tool | kept | repaired | with `--from` | lost | worse |", "|---|---|---|---|---|---|"]
    total = Counter()
    for op in OPERATIONS:
        n = Counter(c["outcome"] for c in cells if c["tool"] == op.name)
        if not n:
            continue
        n["worse"] = sum(1 for c in cells if c["tool"] == op.name and is_worse(c))
        total += n
        lines.append(f"| {op.name} | " + " | ".join(str(n[o]) for o in (*OUTCOMES, "worse")) + " |")
    lines.append("| **all** | " + " | ".join(f"**{total[o]}**" for o in (*OUTCOMES, "worse")) + " |")
    lost = Counter(s["reason"] for c in cells if c["outcome"] == "lost" for s in c["from"]["lost"])
    lines += ["", "Content sets that are lost after `--from`, by reason:", "", "| reason | sets |", "|---|---|"]
    lines += [f"| {reason} | {n} |" for reason, n in lost.most_common()]
    return "\n".join(lines) + "\n" + PDFCPU


def is_worse(cell):
    return any(cell.get(name, {}).get("worse") for name in ("repaired", "from"))


def details(cells):
    """Return what is lost, worse, and invented, by tool and capture, as Markdown."""
    lines = []
    for title, about in DETAILS.items():
        rows = [(c, about(c)) for c in cells if "from" in c]
        rows = [(c, what) for c, what in rows if what]
        lines += [f"## {title}", "", f"{len(rows)} cells.", ""]
        lines += [f"- {c['tool']}, {c['capture'][:28]}: {what}" for c, what in rows] + [""]
    for c in cells:
        if c["outcome"] == "not judged":
            lines.append(f"not judged: {c['tool']}, {c['capture']}: {c['error']}")
    return "\n".join(lines)


def shortened(differences):
    """Return the kinds of differences with their number, and the first of them."""
    if not differences:
        return ""
    n = Counter(d["kind"] for d in differences)
    d = differences[0]
    first = f"{d['place']}: {d['was']} -> {d['is']}"
    return ", ".join(f"{count} {kind}" for kind, count in n.items()) + f"; {first[:200]}"


def counted(values):
    return ", ".join(f"{n} {rule}" for rule, n in values.items())


DETAILS = {
    "Worse after rewrite": lambda c: shortened(c["repaired"]["worse"]),
    "Worse after rewrite --from": lambda c: shortened(c["from"]["worse"]),
    "Invented by rewrite": lambda c: shortened(c["repaired"]["invented"]),
    "Invented by rewrite --from": lambda c: shortened(c["from"]["invented"]),
    "Lost": lambda c: c["outcome"] == "lost" and shortened(c["from"]["differences"]),
    "Errors and warnings that rewrite --from adds": lambda c: counted(c["from"]["findings"]),
    "A second plan with --from has steps": lambda c: c["from"]["again"] and f"{c['from']['again']} steps",
    "The audit promises a repair, rewrite has no step": lambda c: not c["repaired"]["steps"]
    and counted({k: n for k, n in c["repaired"]["promised"].items() if k not in ON_REQUEST}),
    "Lost sets without a word": lambda c: c["from"]["lost"] and not (c["from"]["said"] or c["from"]["left"])
    and f"{len(c['from']['lost'])} sets",
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

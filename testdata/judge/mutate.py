#!/usr/bin/python3
"""mutate makes contradictions in captures, has webcap repair them, and asks: did a right value become wrong?

mutate.py run WEBCAP [--runs N] [--start SEED] [--cases FILE] [--jobs N] [--json FILE] [--markdown FILE]
mutate.py make SEED OUT [--original FILE]    write the mutated file of a seed, and its original
mutate.py report JSON                        print the tables of an earlier run

A seed decides the capture and one to three mutations. Files of one capture are repaired together, in a folder,
once without and once with --from. Exit code 1: a right value became wrong. A wrong repair counts as forged, and
does not count for the exit code, if the mutations made two or more records of the set agree on the wrong ID, while
only one still holds the right one: no evidence in the file can tell. With --from the original tells.
"""

import argparse
import io
import itertools
import json
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from multiprocessing import Pool
from pathlib import Path

import pikepdf

from compare import Comparison, change
from generate import Generator
from mutations import RECORDS, Mutator, entries_of, sets_of, unique
from operations import HERE
from reader import MARK, read, read_bytes
from webcap import ON_REQUEST, Program, parsed

BATCH = 250  # seeds that share a capture
MODES = ("rewrite", "from")
TITLES = {
    "worse": "right values became wrong",
    "forged": "right values became wrong, by forged agreement",
    "invented": "wrong values were added",
}
REAL = ("UglyToad+PdfPig__0000505", "pdfcpu+pdfcpu__sample01")  # real captures with several sets
CORPUS = HERE.parent.parent.parent / "shared" / "corpus" / "real"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("webcap")
    run.add_argument("--runs", type=int, default=1000)
    run.add_argument("--start", type=int, default=0)
    run.add_argument("--jobs", type=int, default=2)
    run.add_argument("--cases", help="Run the seeds in the first column of this file")
    run.add_argument("--json")
    run.add_argument("--markdown")
    report = commands.add_parser("report")
    report.add_argument("json")
    make = commands.add_parser("make")
    make.add_argument("seed", type=int)
    make.add_argument("out")
    make.add_argument("--original")
    o = parser.parse_args(arguments)
    if o.command == "report":
        print(markdown(json.loads(Path(o.json).read_text())))
        return 0
    return run_make(o) if o.command == "make" else run_all(o)


def run_make(o):
    done, data = mutated(o.seed)
    Path(o.out).write_bytes(data)
    if o.original:
        Path(o.original).write_bytes(original(o.seed))
    print("; ".join(done))
    return 0


def real_captures():
    return [p for name in REAL for p in CORPUS.glob(name + "*.pdf")]


def is_real(seed):
    """Report whether the capture of a seed is a real one, if the corpus is there."""
    return seed // BATCH % 8 == 7


def original(seed):
    """Return the marked capture of the batch of a seed."""
    batch = seed // BATCH
    real = real_captures()
    if is_real(seed) and real:
        pdf = pikepdf.open(real[batch // 8 % len(real)])
    else:
        pdf = Generator(batch, pages=2 + batch % 4, images=batch % 5).make()
    names = pdf.Root.Names
    found = unique(s for t in ("/URLS", "/IDS") for _, v in entries_of(names.get(t)) for s in sets_of(v))
    for n, s in enumerate(found):
        s["/" + MARK] = n + 1
    out = io.BytesIO()
    pdf.save(out, static_id=True)
    return out.getvalue()


def mutated(seed, base=None):
    """Return the mutations of a seed and the mutated file."""
    rng = random.Random(seed)
    with pikepdf.open(io.BytesIO(base or original(seed))) as pdf:
        m = Mutator(pdf, rng)
        done, wanted = [], rng.choice((1, 1, 2, 2, 3))
        while len(done) < wanted:
            record = rng.choice(list(RECORDS))
            what = m.apply(record, rng.choice(RECORDS[record]))
            if what:
                done.append(what)
        how = m.write()
        out = io.BytesIO()
        pdf.save(out, static_id=True)
        return [d + how if "key" in d or "value" in d else d for d in done], out.getvalue()


def make_file(job):
    seed, folder, base = job
    done, data = mutated(seed, base)
    Path(folder, f"{seed:07d}.pdf").write_bytes(data)
    return seed, done


def judge_file(job):
    """Return what the repairs of one seed made of it: {mode: result}."""
    seed, done, folder, base = job
    name = f"{seed:07d}.pdf"
    first, broken = read_bytes(base), read(str(Path(folder, "in", name)))
    before = Comparison(first, broken)
    result = {"seed": seed, "mutations": done}
    for mode in MODES:
        path = Path(folder, mode, name)
        after = Comparison(first, read(str(path))) if path.exists() else before
        delta = change(before, after)
        forged = [d for d in delta.worse if mode != "from" and is_forged(before, d)]
        result[mode] = {
            "written": path.exists(),
            "worse": [d.data() for d in delta.worse if d not in forged],
            "forged": [d.data() for d in forged],
            "invented": [d.data() for d in delta.invented],
            "better": delta.better,
            "wrong": len(after.differences),
            "again": Path(folder, mode + "-again", name).exists(),
        }
    return result


def is_forged(before, d):
    """Report whether the set of a key of IDS, and all its members, had one wrong ID before the repair."""
    if d.fact[0] != "entry" or d.fact[1] != "IDS":
        return False
    was, now = before.a.sets[d.fact[3]], before.there.get(d.fact[3])
    ids = [now.id] + [m.target.id for m in now.members if m.target] if now else []
    return len(ids) > 1 and len(set(ids)) == 1 and ids[0] is not None and ids[0] != was.id


def run_batch(program, seeds, pool, folder):
    """Make the files of seeds that share a capture, repair, and judge them."""
    base = original(seeds[0])
    inputs = folder / "in"
    inputs.mkdir()
    (folder / "original.pdf").write_bytes(base)
    made = pool.map(make_file, [(s, str(inputs), base) for s in seeds], chunksize=16)
    for mode in MODES:
        options = ["--from", str(folder / "original.pdf")] if mode == "from" else []
        program.run("rewrite", inputs, "-o", folder / mode, *options, timeout=1800)
        if (folder / mode).exists():
            program.run("rewrite", folder / mode, "-o", folder / (mode + "-again"), *options, timeout=1800)
    results = pool.map(judge_file, [(s, done, str(folder), base) for s, done in made], chunksize=16)
    report = parsed(program.run("audit", inputs, "--no-config", "--format", "json", timeout=1800).stdout)
    promised = {Path(i["path"]).name: promises(i) for i in report.get("inputs") or ()}
    for r in results:
        r["promised"] = promised.get(f"{r['seed']:07d}.pdf", [])
    return results


def promises(item):
    """Return the rules of findings that the audit says a rewrite repairs without being asked."""
    findings = item.get("findings") or ()
    return sorted({f["rule"] for f in findings if f.get("fix")} - set(ON_REQUEST))


def read_cases(path):
    """Return the mutations of each seed of a file of cases: lines of a seed, mutations, and what went wrong.

    Seeds of real captures are left out where the corpus is not there.
    """
    lines = [line.split("\t") for line in Path(path).read_text().splitlines() if line[:1].isdigit()]
    known = {int(seed): mutations for seed, mutations, *_ in lines}
    there = len(real_captures()) == len(REAL)
    return {seed: mutations for seed, mutations in known.items() if there or not is_real(seed)}


def batches(o):
    """Return the seeds of a run, those that share a capture together."""
    seeds = sorted(read_cases(o.cases)) if o.cases else range(o.start, o.start + o.runs)
    return [list(found) for _, found in itertools.groupby(seeds, lambda s: s // BATCH)]


def run_all(o):
    program, results = Program(o.webcap), []
    with Pool(o.jobs) as pool:
        for seeds in batches(o):
            folder = Path(tempfile.mkdtemp())
            try:
                results += run_batch(program, seeds, pool, folder)
            finally:
                shutil.rmtree(folder)
            bad = sum(1 for r in results if any(r[m]["worse"] for m in MODES))
            print(f"{len(results)} runs, {bad} with a right value made wrong", file=sys.stderr)
    known = read_cases(o.cases) if o.cases else {}
    moved = [r["seed"] for r in results if known.get(r["seed"], "; ".join(r["mutations"])) != "; ".join(r["mutations"])]
    if moved:
        sys.exit(f"mutate: seeds no longer make the mutations of {o.cases}: {first(moved)}; write the cases again")
    if o.json:
        Path(o.json).write_text(json.dumps(results))
    text = markdown(results)
    if o.markdown:
        Path(o.markdown).write_text(text)
    else:
        print(text)
    return 1 if any(r[m]["worse"] for r in results for m in MODES) else 0


def markdown(results):
    """Return the figures: for each mode, how many runs, and which mutations lead to which wrong repairs."""
    lines = ["# Mutations", "", f"{len(results)} runs.", ""]
    lines += ["| | rewrite | rewrite --from |", "|---|---|---|"]
    counts = {
        "written": lambda r, m: r[m]["written"],
        "a right value became wrong or was lost": lambda r, m: bool(r[m]["worse"]),
        "the same, but the mutations forged agreement": lambda r, m: bool(r[m]["forged"]),
        "a wrong value was added": lambda r, m: bool(r[m]["invented"]),
        "equal to the original in the end": lambda r, m: not r[m]["wrong"],
        "a second plan has steps": lambda r, m: r[m]["again"],
        "the audit promises a repair, nothing is written": lambda r, m: bool(r["promised"]) and not r[m]["written"],
    }
    for name, test in counts.items():
        lines.append(f"| {name} | " + " | ".join(str(sum(1 for r in results if test(r, m))) for m in MODES) + " |")
    for mode in MODES:
        for what in TITLES:
            lines += table(results, mode, what)
    lines += disagreements(results)
    return "\n".join(lines) + "\n"


def table(results, mode, what):
    """Return what single mutations lead to, and the combinations in which no single one is known to do so."""
    single = [r for r in results if len(r["mutations"]) == 1]
    blamed = {r["mutations"][0] for r in single if r[mode][what] or (what == "worse" and r[mode]["forged"])}
    found = defaultdict(list)
    for r in sorted(results, key=lambda r: len(r["mutations"])):
        if r[mode][what] and (len(r["mutations"]) == 1 or not blamed & set(r["mutations"])):
            found["; ".join(sorted(r["mutations"]))].append((r["seed"], {kind_of(d) for d in r[mode][what]}))
    lines = ["", f"## {mode}: {TITLES[what]}", "", "Combinations only where no part does it alone.", ""]
    lines += ["| mutations | runs | what | seeds |", "|---|---|---|---|"]
    for mutations, cases in sorted(found.items(), key=lambda kv: -len(kv[1])):
        kinds = sorted({k for _, found_kinds in cases for k in found_kinds})
        lines.append(f"| {mutations} | {len(cases)} | {', '.join(kinds)} | {first(s for s, _ in cases)} |")
    return lines


def disagreements(results):
    """Return where the audit promises a repair and nothing is written, and where a second plan has steps."""
    lines = ["", "## rewrite: the audit promises a repair, nothing is written", ""]
    lines += ["| rules | runs | seeds |", "|---|---|---|"]
    found = defaultdict(list)
    for r in results:
        if r["promised"] and not r["rewrite"]["written"]:
            found[", ".join(r["promised"])].append(r["seed"])
    lines += [f"| {rules} | {len(s)} | {first(s)} |" for rules, s in sorted(found.items(), key=lambda kv: -len(kv[1]))]
    for mode in MODES:
        seeds = [r["seed"] for r in results if r[mode]["again"]]
        lines += ["", f"## {mode}: a second plan has steps", "", f"{len(seeds)} runs. Seeds: {first(seeds, 20)}"]
    return lines


def first(seeds, n=6):
    return ", ".join(str(s) for s in list(seeds)[:n])


def kind_of(d):
    """Return the kind of a difference, with the entry of the set that it is about."""
    return d["kind"] + (" " + d["place"].split(" ")[-1] if d["kind"].startswith("value") else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

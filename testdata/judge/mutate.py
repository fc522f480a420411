#!/usr/bin/python3
"""mutate makes contradictions in captures, has webcap repair them, and asks: did a right value become wrong?

mutate.py run WEBCAP [--runs N] [--start SEED] [--cases FILE] [--kinds LIST] [--modes LIST] [--jobs N] [--json FILE]
                     [--markdown FILE]
mutate.py make SEED OUT [--helpers FOLDER]   write the mutated file of a seed, and the original and what else modes use
mutate.py report JSON                        print the tables of an earlier run

A seed decides the capture and one to three mutations; of some, a kind that is done before. Files of one capture are
repaired together, in folders, once in each mode. Exit code 1: a right value became wrong, or a wrong value was added
that the original tells, or the audit promised a repair that a rewrite without --from did not make, or a file without
mutations was not right in the end. A wrong repair counts as forged, and
does not count for the exit code, if the mutations made two or more records of the set agree on the wrong ID, while
only one still holds the right one: no evidence in the file can tell. With --from the original tells, unless it
contradicts itself there.
"""

import argparse
import hashlib
import itertools
import json
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from functools import lru_cache
from multiprocessing import Pool
from pathlib import Path

import pikepdf
from pikepdf import String

from compare import RIGHT, WRONG, Comparison, Difference, change
from generate import Generator
from kinds import KINDS, Case, opened, saved
from mutations import MORE, RECORDS, WITNESSED, Mutator, entries_of, sets_of, unique
from operations import HERE
from reader import MARK, read, read_bytes
from webcap import ON_REQUEST, Program, parsed

BATCH = 250  # seeds that share a capture
GROUPS, KIND_GROUPS = 5, 50  # folders of a batch, each with helpers of its own; more for seeds with a kind
WIDE = 1_000_000  # seeds from here on have mutations of MORE
KINDRED = 2_000_000  # seeds from here on have a kind of KINDS
# The options of each mode. A helper is a file that options name.
MODES = {
    "rewrite": lambda helpers: (),
    "from": lambda helpers: ("--from", helpers / "original.pdf"),
    "second": lambda helpers: ("--from", helpers / "second.pdf"),
    "both": lambda helpers: ("--from", helpers / "original.pdf", "--from", helpers / "second.pdf"),
    "foreign": lambda helpers: ("--from", helpers / "foreign.pdf"),
    "damaged": lambda helpers: ("--from", helpers / "damaged.pdf"),
    "prefer-keys": lambda helpers: ("--prefer", "keys"),
    "prefer-sets": lambda helpers: ("--prefer", "sets"),
}
DEFAULT = ("rewrite", "from")
TELLING = ("from", "second", "both")  # modes whose originals tell the right IDs
# What fails in a mode, next to right values that became wrong. With --from, webcap may refuse a plan, so its promises
# do not count.
ASKED = {"rewrite": ("promised",), "from": ("invented",)}
TITLES = {
    "worse": "right values became wrong",
    "forged": "right values became wrong, by forged agreement",
    "invented": "wrong values were added",
    "changed": "a file without mutations is not right in the end",
    "promised": "the audit promises a repair, nothing is written",
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
    run.add_argument("--kinds", type=kinds_of, help=f"Take only seeds of these kinds: {','.join(KINDS)}")
    run.add_argument("--modes", type=modes_of, help=",".join(MODES))
    run.add_argument("--jobs", type=int, default=2)
    run.add_argument("--cases", help="Run the seeds in the first column of this file")
    run.add_argument("--json")
    run.add_argument("--markdown")
    report = commands.add_parser("report")
    report.add_argument("json")
    make = commands.add_parser("make")
    make.add_argument("seed", type=int)
    make.add_argument("out")
    make.add_argument("--helpers")
    o = parser.parse_args(arguments)
    if o.command == "report":
        print(markdown(json.loads(Path(o.json).read_text())))
        return 0
    return run_make(o) if o.command == "make" else run_all(o)


def modes_of(text):
    return list_of(MODES, text)


def kinds_of(text):
    return list_of(KINDS, text)


def list_of(known, text):
    found = tuple(text.split(","))
    if not set(found) <= set(known):
        raise argparse.ArgumentTypeError(f"{text}: expected a list of {', '.join(known)}")
    return found


def run_make(o):
    done, data = mutated(o.seed)
    Path(o.out).write_bytes(data)
    if o.helpers:
        Path(o.helpers).mkdir(exist_ok=True)
        write_helpers(case_of(o.seed), Path(o.helpers))
    print("; ".join(done))
    return 0


def real_captures():
    return [p for name in REAL for p in CORPUS.glob(name + "*.pdf")]


def is_real(seed):
    """Report whether the capture of a seed is a real one, if the corpus is there."""
    return seed // BATCH % 8 == 7


def generator(seed):
    """Return the generator of the capture of a seed."""
    batch = seed // BATCH
    return Generator(batch, pages=2 + batch % 4, images=batch % 5)


def original(seed):
    """Return the marked capture of the batch of a seed."""
    real = real_captures()
    if is_real(seed) and real:
        pdf = pikepdf.open(real[seed // BATCH // 8 % len(real)])
    else:
        pdf = generator(seed).make()
    names = pdf.Root.Names
    found = unique(s for t in ("/URLS", "/IDS") for _, v in entries_of(names.get(t)) for s in sets_of(v))
    for n, s in enumerate(found):
        s["/" + MARK] = n + 1
    return saved(pdf)


def mutated(seed, case=None):
    """Return the kind and the mutations of a seed, and the mutated file. case is that of the group."""
    rng = random.Random(seed)
    wanted = rng.choice((1, 1, 2, 2, 3))
    if seed < KINDRED:
        base = case.file if case else original(seed)
        choices = [RECORDS] * wanted if seed < WIDE else [MORE] + [{**RECORDS, **MORE}] * (wanted - 1)
        return mutate(base, rng, choices)
    case = case or case_of(seed)
    done, data = mutate(case.file, rng, [{**RECORDS, **MORE}] * (wanted if is_damaged(seed) else 0))
    return [case.what, *done], data


def is_damaged(seed):
    """Report whether the file of a seed gets mutations. The first of a group with a kind gets none."""
    return seed < KINDRED or seed % BATCH >= KIND_GROUPS


def mutate(base, rng, choices):
    """Make one mutation of each choice of records."""
    with opened(base) as pdf:
        m, done = Mutator(pdf, rng), []
        while len(done) < len(choices):
            kinds = choices[len(done)]
            record = rng.choice(list(kinds))
            what = m.apply(record, rng.choice(kinds[record]))
            if what:
                done.append(what)
        how = m.write()
        return [d + how if "key" in d or "value" in d else d for d in done], saved(pdf)


def foreign(base, rng, images):
    """Return another capture of the same pages: with other IDs and times. The IDs of JPEG images, which are the MD5 of
    their data, are others only if images is true."""
    with opened(base) as pdf:
        m, ids = Mutator(pdf, rng), {}
        for s in m.sets:
            s.TS = String("D:20120513140331Z")
            if "/ID" not in s or (is_proven(s) and not images):
                continue
            new = ids[bytes(s.ID)] = String(rng.randbytes(16))
            for item in [s, *s.O]:
                item.ID = new
        for entry in m.trees["IDS"]:
            entry[0] = ids.get(bytes(entry[0]), entry[0])
        m.write_tree("IDS", True)
        return saved(pdf)


def is_proven(s):
    """Report whether the ID of a set is the MD5 of an image as it is stored."""
    images = [m for m in s.O if m.get("/Subtype") == "/Image"]
    return any(hashlib.md5(m.read_raw_bytes()).digest() == bytes(s.ID) for m in images)


def case_of(seed):
    """Return the case of the group of a seed: its file before mutations, what is right, and what options name."""
    base, rng = original(seed), random.Random(f"{seed // BATCH}/{group_of(seed)}")
    if seed >= KINDRED:
        return KINDS[kind_of(seed)].make(base, rng)
    other = foreign(base, rng, group_of(seed) % 2 == 1)
    damaged = mutate(base, rng, [WITNESSED])[1]
    return Case("", base, base, {"original.pdf": base, "foreign.pdf": other, "damaged.pdf": damaged})


def write_helpers(case, folder):
    """Write the files that options name."""
    for name, data in case.originals.items():
        (folder / name).write_bytes(data)


def told_by(path):
    """Return the IDs of the sets of an original that no other record there contradicts."""
    capture = read(str(path))
    ids = set()
    for s in capture.sets:
        keys = {e.key for e in capture.trees["IDS"] or () if e.target is s}
        members = {m.target.id for m in s.members if m.target}
        if keys | members <= {s.id}:
            ids.add(s.id)
    return ids


def group_of(seed):
    return seed % (GROUPS if seed < KINDRED else KIND_GROUPS)


def kind_of(seed):
    """Return the kind of a seed, or None."""
    return list(KINDS)[group_of(seed) % len(KINDS)] if seed >= KINDRED else None


def make_file(job):
    seed, folder, case = job
    done, data = mutated(seed, case)
    Path(folder, name_of(seed)).write_bytes(data)
    return seed, done


def name_of(seed):
    return f"{group_of(seed)}/{seed:07d}.pdf"


@lru_cache(maxsize=64)
def read_original(base):
    return read_bytes(base)


def judge_file(job):
    """Return what the repairs of one seed made of it: {mode: result}."""
    seed, done, folder, right, modes, told = job
    name = name_of(seed)
    first, broken = read_original(right), read(str(Path(folder, "in", name)))
    before = Comparison(first, broken)
    result = {"seed": seed, "kind": kind_of(seed), "mutations": done}
    entries = KINDS[result["kind"]].untold if result["kind"] else ()
    for mode in modes:
        path = Path(folder, mode, name)
        after = Comparison(first, read(str(path))) if path.exists() else before
        delta = change(before, after)
        worse = delta.worse
        if mode.startswith("prefer"):
            worse = [d for d in worse if not is_contested(before, d)] + lost_agreement(before, after)
        forged = [d for d in worse if is_forged(before, d, mode, told)]
        if forged:  # several forged sets make a pattern, which decides for sets without members
            forged += [d for d in worse if d not in forged and is_forged(before, d, mode, told, alone=1)]
        untold = [d for d in delta.invented if is_forged(before, d, mode, told, alone=1 if forged else 2)]
        untold += [d for d in delta.invented if d not in untold and is_said(before, after, d)]
        untold += [d for d in delta.invented if d.fact[0] == "value" and d.fact[2] in entries]
        untold += [d for d in delta.invented if d.kind == "member added" and is_emptied(before, d.fact[1])]
        result[mode] = {
            "written": path.exists(),
            "worse": [d.data() for d in worse if d not in forged],
            "forged": [d.data() for d in forged],
            "invented": [d.data() for d in delta.invented if d not in untold],
            "untold": [d.data() for d in untold],
            "changed": [d.data() for d in after.differences + dead_elements(after) if not is_damaged(seed)],
            "better": delta.better,
            "wrong": len(after.differences),
            "again": Path(folder, mode + "-again", name).exists(),
        }
    return result


def dead_elements(comparison):
    """Return the elements of O that are no pages or images."""
    return [
        Difference("dead element", ("dead", i), f"{comparison.name(i)} O", None, m.kind, WRONG)
        for i, s in comparison.there.items()
        for m in s.members
        if m.kind not in ("page", "image")
    ]


def is_forged(before, d, mode, told, alone=2):
    """Report whether the set of a key of IDS, and its members with an ID, had one wrong ID before the repair, and no
    original and no MD5 of an image tells the right one. The members are those in O, or those that the set
    had in the original. told are the IDs that the helper of each mode tells; alone is how many records have to agree.
    An original tells nothing of a set that had both ID and members of another."""
    if d.fact[0] not in ("entry", "added", "key") or d.fact[1] != "IDS":
        return False
    key = d.fact[2]
    i = d.fact[3] if len(d.fact) > 3 else next((i for i, s in enumerate(before.a.sets) if s.id == key), None)
    if i is None:
        return False
    was, now = before.a.sets[i], before.there.get(i)
    if not now or now.id in (None, was.id) or was.id in told.get(mode, ()):
        return False
    if mode in TELLING:
        labels = set(before.labels(now))
        return any(s.id == now.id and labels & set(before.labels(s)) for s in before.a.sets if s.subtype == now.subtype)
    own = before.items(before.labels(was))
    if any(was.id == getattr(item, "md5", None) for item in own):
        return False
    for items in (own, [m.target for m in now.members if m.target]):
        ids = [now.id] + [item.id for item in items if item.id is not None]
        if len(ids) >= alone and set(ids) == {now.id}:
            return True
    return False


def is_said(before, after, d):
    """Report whether a key leads to wrong sets only that said it before the repair, and nothing contradicted them. An
    original replaces no such value, and the key of a set follows from it."""
    if d.fact[0] not in ("entry", "added") or len(d.fact) < 4:
        return False
    _, tree, key, _ = d.fact

    def is_sure(s):
        others = {m.target.id for m in s.members if m.target} if tree == "IDS" else set()
        keys = {k for name, k in before.keys_b.get(id(s), ()) if name == tree}
        return s.says(tree, key) and others <= {key, None} and all(s.says(tree, k) for k in keys)

    sure = {before.identity(s) for s in before.b.sets if is_sure(s)}
    entries = [e for e in after.b.trees[tree] or () if e.key == key]
    wrong = {after.identity(e.target) for e in entries if not after.is_partner(tree, e)}
    return None not in wrong and wrong <= sure


def is_emptied(before, i):
    """Report whether a set of the original was there before the repair, with no page or image in O."""
    return i in before.there and not before.there[i].live


def is_contested(before, d):
    """Report whether a key and a content set contradicted each other about a value before the repair. --prefer decides
    then, rightly or wrongly."""
    kind, *where = d.fact
    if kind == "entry":
        tree, key, i = where
        return not before.agrees(tree, key, i)
    if kind == "key":
        tree, key = where
        return any(e.key == key and not (e.target and e.target.says(tree, key)) for e in before.b.trees[tree] or ())
    if kind == "value" and (where[1] == "ID" or where[1].startswith("SI.")):
        return before.is_contested("IDS" if where[1] == "ID" else "URLS", where[0])
    if kind in ("page ID", "image ID"):
        label = kind.split()[0], where[0]
        sets = [i for i, s in before.there.items() if label in before.labels(s)]
        return any(before.is_contested("IDS", i) for i in sets)
    return False


def lost_agreement(before, after):
    """Return right keys and sets that agreed before a repair, and no longer do."""
    pairs = [(tree, key, i) for i in before.there for tree, key in before.keys_now(i)]
    right = [p for p in pairs if before.state.get(("entry", *p)) == RIGHT and before.agrees(*p)]
    lost = [p for p in right if not after.agrees(*p)]
    return [Difference("pair parted", ("pair", *p), f"{p[0]} {p[1]}", before.name(p[2]), None, WRONG) for p in lost]


def run_batch(program, seeds, pool, folder, modes):
    """Make the files of seeds that share a capture, repair, and judge them."""
    groups, told = {}, {}
    for group, seed in {group_of(seed): seed for seed in seeds}.items():
        case = groups[group] = case_of(seed)
        (folder / "in" / str(group)).mkdir(parents=True)
        (folder / "helpers" / str(group)).mkdir(parents=True)
        write_helpers(case, folder / "helpers" / str(group))
        damaged = folder / "helpers" / str(group) / "damaged.pdf"
        told[group] = {"damaged": told_by(damaged)} if damaged.exists() else {}
    made = pool.map(make_file, [(s, str(folder / "in"), groups[group_of(s)]) for s in seeds], chunksize=16)
    for mode, group in itertools.product(modes, map(str, groups)):
        options = MODES[mode](folder / "helpers" / group)
        done = folder / mode / group
        done.parent.mkdir(exist_ok=True)
        program.run("rewrite", folder / "in" / group, "-o", done, *options, timeout=1800)
        if done.exists():
            (folder / (mode + "-again")).mkdir(exist_ok=True)
            program.run("rewrite", done, "-o", folder / (mode + "-again") / group, *options, timeout=1800)
    jobs = [(s, done, str(folder), groups[group_of(s)].right, modes, told[group_of(s)]) for s, done in made]
    results = pool.map(judge_file, jobs, chunksize=16)
    promised = promises_in(program, groups, folder)
    for mode, r in itertools.product(modes, results):
        rules = promised.get(f"{r['seed']:07d}.pdf", [])
        r[mode]["promised"] = [] if r[mode]["written"] else rules
    return results


def promises_in(program, groups, folder):
    """Return the rules that promises returns, by the names of the files of a batch."""
    found = {}
    for group in map(str, groups):
        report = program.run("audit", folder / "in" / group, "--config", "none", "--format", "json", timeout=1800)
        found |= {Path(i["path"]).name: promises(i) for i in parsed(report.stdout).get("inputs") or ()}
    return found


def promises(item):
    """Return the rules of findings that the audit says a rewrite repairs without being asked."""
    findings = item.get("findings") or ()
    return sorted({f["rule"] for f in findings if f.get("fix")} - set(ON_REQUEST))


def read_cases(path):
    """Return the mutations and modes of each seed of a file of cases: lines of a seed, mutations, what went wrong, and
    the modes, if they are not the default.

    Seeds of real captures are left out where the corpus is not there.
    """
    lines = [line.split("\t") for line in Path(path).read_text().splitlines() if line[:1].isdigit()]
    known = {int(seed): (done, modes_of(modes[0]) if modes else None) for seed, done, _, *modes in lines}
    there = len(real_captures()) == len(REAL)
    return {seed: case for seed, case in known.items() if there or not is_real(seed)}


def batches(o):
    """Return the seeds of a run with their modes: those that share a capture and modes together."""
    if o.cases:
        wanted = {seed: modes for seed, (_, modes) in read_cases(o.cases).items()}
    else:
        seeds = itertools.count(max(o.start, KINDRED if o.kinds else 0))
        of_kinds = (seed for seed in seeds if not o.kinds or kind_of(seed) in o.kinds)
        wanted = {seed: o.modes for seed in itertools.islice(of_kinds, o.runs)}
    cases = [(seed // BATCH, modes_for(seed, modes), seed) for seed, modes in wanted.items()]
    return [([c[-1] for c in found], key[1]) for key, found in itertools.groupby(sorted(cases), lambda c: c[:2])]


def modes_for(seed, wanted):
    """Return the modes of a seed: those of its kind that are wanted."""
    if seed < KINDRED:
        return wanted or DEFAULT
    return tuple(m for m in KINDS[kind_of(seed)].asked if not wanted or m in wanted)


def run_all(o):
    program, results = Program(o.webcap), []
    with Pool(o.jobs) as pool:
        for seeds, modes in batches(o):
            folder = Path(tempfile.mkdtemp())
            try:
                results += run_batch(program, seeds, pool, folder, modes)
            finally:
                shutil.rmtree(folder)
            print(f"{len(results)} runs, {sum(map(is_failed, results))} failed", file=sys.stderr)
    known = read_cases(o.cases) if o.cases else {}
    moved = [r["seed"] for r in results if o.cases and known[r["seed"]][0] != "; ".join(r["mutations"])]
    if moved:
        sys.exit(f"mutate: seeds no longer make the mutations of {o.cases}: {first(moved)}; write the cases again")
    if o.json:
        Path(o.json).write_text(json.dumps(results))
    text = markdown(results)
    if o.markdown:
        Path(o.markdown).write_text(text)
    else:
        print(text)
    return 1 if any(map(is_failed, results)) else 0


def modes_in(results):
    return [m for m in MODES if any(m in r for r in results)]


def failures(result, mode):
    """Return why a seed fails in a mode: keys of TITLES."""
    kind = result["kind"]
    asked = KINDS[kind].asked[mode] if kind else ASKED.get(mode, ())
    return [what for what in ("worse", *asked) if result[mode][what]]


def is_failed(result):
    return any(failures(result, mode) for mode in modes_in([result]))


def markdown(results):
    """Return the figures: for each mode, how many runs, and which mutations lead to which wrong repairs."""
    modes = modes_in(results)
    lines = ["# Mutations", "", f"{len(results)} runs, {sum(map(is_failed, results))} failed.", ""]
    lines += ["| | " + " | ".join(modes) + " |", "|---" * (len(modes) + 1) + "|"]
    counts = {
        "written": lambda r: r["written"],
        "a right value became wrong or was lost": lambda r: r["worse"],
        "the same, but the mutations forged agreement": lambda r: r["forged"],
        "a wrong value was added": lambda r: r["invented"],
        "the same, but nothing tells the right one": lambda r: r["untold"],
        "equal to what is right in the end": lambda r: not r["wrong"],
        "a second plan has steps": lambda r: r["again"],
        "the audit promises a repair, nothing is written": lambda r: r["promised"],
    }
    for name, test in counts.items():
        found = (sum(1 for r in results if m in r and test(r[m])) for m in modes)
        lines.append(f"| {name} | " + " | ".join(map(str, found)) + " |")
    lines += ["", "## Failed", "", "| mode | what | runs | seeds |", "|---|---|---|---|"]
    for mode, what in itertools.product(modes, TITLES):
        seeds = [r["seed"] for r in results if mode in r and what in failures(r, mode)]
        lines += [f"| {mode} | {TITLES[what]} | {len(seeds)} | {first(seeds, 20)} |"] if seeds else []
    for mode in modes:
        for what in TITLES:
            lines += table([r for r in results if mode in r], mode, what)
    for mode in modes:
        seeds = [r["seed"] for r in results if mode in r and r[mode]["again"]]
        lines += ["", f"## {mode}: a second plan has steps", "", f"{len(seeds)} runs. Seeds: {first(seeds, 20)}"]
    return "\n".join(lines) + "\n"


def table(results, mode, what):
    """Return what single mutations lead to, and the combinations in which no single one is known to do so."""
    single = [r for r in results if len(r["mutations"]) == 1]
    blamed = {r["mutations"][0] for r in single if r[mode][what] or (what == "worse" and r[mode]["forged"])}
    found = defaultdict(list)
    for r in sorted(results, key=lambda r: len(r["mutations"])):
        if r[mode][what] and (len(r["mutations"]) == 1 or not blamed & set(r["mutations"])):
            found["; ".join(sorted(r["mutations"]))].append((r["seed"], {shown_kind(d) for d in r[mode][what]}))
    lines = ["", f"## {mode}: {TITLES[what]}", "", "Combinations only where no part does it alone.", ""]
    lines += ["| mutations | runs | what | seeds |", "|---|---|---|---|"]
    for mutations, cases in sorted(found.items(), key=lambda kv: -len(kv[1])):
        kinds = sorted({k for _, found_kinds in cases for k in found_kinds})
        lines.append(f"| {mutations} | {len(cases)} | {', '.join(kinds)} | {first(s for s, _ in cases)} |")
    return lines


def first(seeds, n=6):
    return ", ".join(str(s) for s in list(seeds)[:n])


def shown_kind(d):
    """Return the kind of a difference, with the entry of the set that it is about; of a promise, its rule."""
    if isinstance(d, str):
        return d
    return d["kind"] + (" " + d["place"].split(" ")[-1] if d["kind"].startswith("value") else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

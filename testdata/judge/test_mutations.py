#!/usr/bin/python3
"""Tests of the mutations: a seed always makes the same file, and every operator changes what it should."""

import io
import random
import tempfile
import unittest
from pathlib import Path

import pikepdf

import mutate
from compare import change as change_between
from compare import Comparison, Difference
from generate import Generator
from kinds import KINDS, opened, sources_of, url_of
from mutations import MORE, RECORDS, Mutator, entries_of, sets_of
from reader import read_bytes

SAME = {"Limits", "extra page"}  # what the judge does not compare
CAPTURE = Generator(9, 3, 5).data()


class Seeds(unittest.TestCase):
    """A seed decides all."""

    def test_seed(self):
        kinds = [mutate.KINDRED + 50 + n for n in range(len(KINDS))]
        for seed in (0, 1, mutate.BATCH, 3 * mutate.BATCH + 7, mutate.WIDE, mutate.WIDE + 1, *kinds):
            with self.subTest(seed=seed):
                self.assertEqual(mutate.mutated(seed), mutate.mutated(seed))

    def test_original(self):
        """The original of a batch has whole trees, and a mark in each set."""
        for seed in (n + batch * mutate.BATCH for n in (0, mutate.WIDE) for batch in range(7)):
            with self.subTest(seed=seed):
                capture = read_bytes(mutate.original(seed))
                self.assertEqual(len(capture.sets), len({s.values["mark"] for s in capture.sets} - {None}))
                self.assertEqual([], Comparison(capture, capture).differences)


    def test_cases(self):
        """Seeds of recorded cases still make the mutations that they made."""
        cases = mutate.read_cases(Path(__file__).with_name("cases.tsv"))
        for seed in list(cases)[::20]:
            with self.subTest(seed=seed):
                self.assertEqual(cases[seed][0], "; ".join(mutate.mutated(seed)[0]))


class Helpers(unittest.TestCase):
    """What modes give to webcap next to the file."""

    def test_foreign(self):
        """Another capture has the same pages and URLs, and other IDs in both trees, sets, and members."""
        for images, kept in ((False, 3), (True, 0)):
            with self.subTest(images=images):
                other = mutate.foreign(CAPTURE, random.Random(1), images)
                found = Comparison(read_bytes(CAPTURE), read_bytes(other)).differences
                self.assertEqual(8 - kept, sum(d.kind == "key changed" for d in found))
                self.assertLessEqual({d.kind for d in found}, {"key changed", "value changed", "page ID", "image ID"})

    def test_helpers(self):
        """Each option that names a file has it."""
        modes = [m for m in mutate.MODES if m not in ("second", "both")]
        for seed, wanted in [(5, modes)] + [(mutate.KINDRED + n, KINDS[kind].asked) for n, kind in enumerate(KINDS)]:
            originals = mutate.case_of(seed).originals
            names = [o.name for mode in wanted for o in mutate.MODES[mode](Path()) if isinstance(o, Path)]
            self.assertLessEqual(set(names), set(originals), seed)
            self.assertEqual(len(originals), len(set(originals.values())))


class Verdicts(unittest.TestCase):
    """What counts against a repair."""

    def test_contested(self):
        """With --prefer, only records may change about which a key and a set disagree."""
        first = read_bytes(CAPTURE)
        before = Comparison(first, read_bytes(changed(lambda m: exchange_ids(m.sets[:2]))))
        for (kind, *where), contested in (
            (("entry", "IDS", first.sets[0].id, 0), True),
            (("value", 0, "ID", 0), True),
            (("entry", "IDS", first.sets[2].id, 2), False),
            (("value", 2, "ID", 0), False),
            (("value", 0, "SI.AU", 0), False),
            (("value", 0, "TS", 0), False),
        ):
            with self.subTest(fact=(kind, *where)):
                d = Difference("", (kind, *where), "", None, None, "wrong")
                self.assertEqual(contested, mutate.is_contested(before, d))

    def test_lost_agreement(self):
        """A right key and a set that agreed have to agree after a repair, also if the set is contested."""
        first = read_bytes(CAPTURE)
        before = Comparison(first, read_bytes(changed(lambda m: None)))
        after = Comparison(first, read_bytes(changed(lambda m: exchange_ids(m.sets[:2]))))
        self.assertEqual([0, 1], sorted(d.fact[3] for d in mutate.lost_agreement(before, after)))
        self.assertEqual([], mutate.lost_agreement(after, before))

    def test_forged(self):
        """Agreement on a wrong ID is forged, wherever members are, unless the MD5 of an image tells the right one."""
        first = read_bytes(CAPTURE)
        page = next(i for i, s in enumerate(first.sets) if s.subtype == "/SPS")
        images = {image.md5 for image in first.images.values()}
        jpeg = next(i for i, s in enumerate(first.sets) if s.id in images)

        def forge(m, drop=False):
            for s in m.sets:
                for item in [s, *s.O]:
                    item.ID = pikepdf.String(b"wrong" + bytes(s.ID)[-11:])
                if drop:
                    s.O = pikepdf.Array()

        def exchange(m):
            exchange_ids(m.sets[:2])

        for change, forged in ((forge, True), (lambda m: forge(m, drop=True), True), (exchange, False)):
            before = Comparison(first, read_bytes(changed(change)))
            for i, expected in ((page, forged), (jpeg, False)):
                d = Difference("", ("entry", "IDS", first.sets[i].id, i), "", None, None, "wrong")
                self.assertEqual(expected, mutate.is_forged(before, d, "rewrite", {}), i)

    def test_said(self):
        """A key that follows from a wrong ID is no invention, unless a key or a member contradicted the ID."""
        first, new = read_bytes(CAPTURE), b"wrong" * 3 + b"!"

        def change(m, members=True, old=False, key=False):
            for item in [m.sets[0], *(m.sets[0].O if members else ())]:
                item.ID = pikepdf.String(new)
            m.trees["IDS"] = [e for e in m.trees["IDS"] if old or e[1] != m.sets[0]]
            m.trees["IDS"] += [[pikepdf.String(new), m.sets[0]]] if key else []
            m.write_tree("IDS", True)

        d = Difference("", ("added", "IDS", new, 0), "", None, None, "added")
        for options, said in (({}, True), ({"members": False}, False), ({"old": True}, False)):
            with self.subTest(options=options):
                before = Comparison(first, read_bytes(changed(lambda m: change(m, **options))))
                after = Comparison(first, read_bytes(changed(lambda m: change(m, **options, key=True))))
                self.assertEqual(said, mutate.is_said(before, after, d))

    def test_member_that_stays(self):
        """A wrong member of O is invented by the repair only if O did not have it before."""
        base = mutate.original(2 * mutate.BATCH)

        def members(*wanted):
            def change(m):
                s = next(s for s in m.sets if len(s.O) > 1)
                wrong = next(t.O[0] for t in m.sets if t.S == s.S and t.objgen != s.objgen)
                items = {"right": s.O[0], "wrong": wrong}
                s.O = pikepdf.Array([items[w] for w in wanted])

            return Comparison(read_bytes(base), read_bytes(changed(change, base)))

        for before, invented in ((members("wrong"), []), (members("right"), ["member replaced"])):
            found = change_between(before, members("right", "wrong")).invented
            self.assertEqual(invented, [d.kind for d in found])

    def test_key_that_stays_wrong(self):
        """A key that is right again, and has the wrong set that the wrong key had, is no invention."""

        def value(key, *numbers):
            def change(m):
                m.trees["URLS"][0] = [pikepdf.String(key), pikepdf.Array([m.sets[n] for n in numbers])]
                m.write_tree("URLS", True)

            return changed(change)

        right = read_bytes(value("http://right.example.com/", 0, 1))
        before = Comparison(right, read_bytes(value("http://wrong.example.com/", 2)))
        for n, invented in ((2, False), (3, True)):
            after = Comparison(right, read_bytes(value("http://right.example.com/", 0, n)))
            found = change_between(before, after).invented
            self.assertEqual(invented, "key redirected" in [d.kind for d in found])

    def test_failures(self):
        """An invented value fails where a helper tells, a promise where nothing contradicts it."""
        result = {mode: {"worse": [], "invented": ["x"], "promised": ["x"]} for mode in mutate.MODES} | {"kind": None}
        found = {mode: mutate.failures(result, mode) for mode in mutate.MODES}
        self.assertEqual(["promised"], found["rewrite"])
        self.assertEqual(["invented"], found["from"])
        self.assertEqual([], found["foreign"] + found["damaged"] + found["prefer-keys"] + found["prefer-sets"])


class Kinds(unittest.TestCase):
    """The judge fails programs that do the wrong thing to a kind, and passes one that does the right thing."""

    # What a wrong program writes: a function of the case and the open file.
    WRONG = {
        ("refreshed", "takes the original back"): lambda case, pdf: case.originals["original.pdf"],
        ("merged", "gives all sets one date"): lambda case, pdf: edited(pdf, give_all_one_date),
        ("merged", "gives a set the members of another"): lambda case, pdf: edited(pdf, give_first_members),
        ("encoded", "has keys follow URLs"): lambda case, pdf: edited(pdf, have_keys_follow),
        ("encoded", "decodes URLs"): lambda case, pdf: case.originals["original.pdf"],
        ("encoded-told", "has keys follow URLs"): lambda case, pdf: edited(pdf, have_keys_follow),
        ("copied", "puts a copy into O"): lambda case, pdf: edited(pdf, put_copies),
        ("copied", "leaves dead elements"): lambda case, pdf: case.file,
        ("invalid", "copies invalid values"): lambda case, pdf: case.originals["original.pdf"],
    }

    def test_wrong(self):
        for (kind, what), write in self.WRONG.items():
            for mode in KINDS[kind].asked:
                with self.subTest(kind=kind, what=what, mode=mode):
                    self.assertTrue(any(self.judged(kind, mode, write)))

    def test_right(self):
        for kind, mode in ((kind, mode) for kind in KINDS for mode in KINDS[kind].asked):
            with self.subTest(kind=kind, mode=mode):
                self.assertFalse(any(self.judged(kind, mode, lambda case, pdf: case.right)))

    def judged(self, kind, mode, write):
        """Return why files of a kind without mutations fail if a program writes them anew."""
        for batch in (0, 1, 2):
            seed = mutate.KINDRED + batch * mutate.BATCH + list(KINDS).index(kind)
            case = mutate.case_of(seed)
            with tempfile.TemporaryDirectory() as folder, opened(case.file) as pdf:
                for name, data in (("in", case.file), (mode, write(case, pdf))):
                    path = Path(folder, name, mutate.name_of(seed))
                    path.parent.mkdir(parents=True)
                    path.write_bytes(data)
                result = mutate.judge_file((seed, [case.what], folder, case.right, (mode,), {}))
            result[mode]["promised"] = []
            yield mutate.failures(result, mode)


def edited(pdf, edit):
    edit(pdf, Mutator(pdf, random.Random(0)))
    return mutate.saved(pdf)


def give_all_one_date(pdf, m):
    for s in m.sets:
        s.TS = m.sets[0].TS


def give_first_members(pdf, m):
    same = [s for s in m.sets if bytes(s.ID) == bytes(m.sets[0].ID)]
    same[-1].O = same[0].O


def have_keys_follow(pdf, m):
    for entry in m.trees["URLS"]:
        for s in sets_of(entry[1]):
            entry[0] = pikepdf.String(url_of(sources_of(s)[0]))
    m.write_tree("URLS", True)


def put_copies(pdf, m):
    listed = {p.objgen for s in m.sets for p in s.O if p is not None}
    for s in m.sets:
        copies = [p.obj for p in pdf.pages if p.obj.objgen not in listed and p.obj.ID == s.ID]
        s.O = pikepdf.Array([p for p in [*s.O, *copies] if p is not None and p.objgen != s.objgen])


class Operators(unittest.TestCase):
    """Each operator on each kind of record makes a difference in most of its uses, and never fails."""

    def test_operators(self):
        for record, operators in [*RECORDS.items(), *MORE.items()]:
            for operator in operators:
                with self.subTest(record=record, operator=operator):
                    self.assertEqual(record not in SAME, self.differs(record, operator))

    def differs(self, record, operator):
        first, found = read_bytes(CAPTURE), 0
        for seed in range(6):
            with pikepdf.open(io.BytesIO(CAPTURE)) as pdf:
                m = Mutator(pdf, random.Random(seed))
                done = m.apply(record, operator)
                m.write()
                out = io.BytesIO()
                pdf.save(out)
                self.assertIsNotNone(done)
            found += bool(Comparison(first, read_bytes(out.getvalue())).differences)
        return found >= 2


    def test_direct(self):
        """A copy in a tree counts as the set: no key is lost, and the copy is one too many."""
        base = mutate.original(2 * mutate.BATCH)
        found = Comparison(read_bytes(base), read_bytes(changed(lambda m: m.direct(), base))).differences
        self.assertEqual({"set copied"}, {d.kind for d in found})

    def test_tree(self):
        with pikepdf.open(io.BytesIO(changed(lambda m: m.remove_tree()))) as pdf:
            self.assertEqual(1, len({"/URLS", "/IDS"} & set(pdf.Root.Names.keys())))
            self.assertTrue(entries_of(pdf.Root.Names.get("/URLS") or pdf.Root.Names.get("/IDS")))


def changed(change, base=CAPTURE):
    """Return a capture after a change by a mutator."""
    with pikepdf.open(io.BytesIO(base)) as pdf:
        m = Mutator(pdf, random.Random(0))
        change(m)
        m.write()
        return mutate.saved(pdf)


def exchange_ids(sets):
    a, b = sets
    a.ID, b.ID = b.ID, a.ID


if __name__ == "__main__":
    unittest.main()

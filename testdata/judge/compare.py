"""compare finds the differences between the captures of two files, the original and another.

Sets are matched by what they hold, pages and images by content. Every value of the original is a fact: it is right
in the other file, wrong, or missing. A value that only the other file has is an addition.
"""

from collections import Counter
from dataclasses import dataclass, field

from reader import printable

RIGHT, WRONG, MISSING, ADDED = "right", "wrong", "missing", "added"
ENOUGH = 4  # least score at which two sets are the same: one of ID and members, or SI.AU with an entry
FIELDS = ("S", "ID", "CT", "TS", "T", "TID", "R", "SI.AU", "SI.TS", "SI.E", "SI.S", "SI.C")
HEXADECIMAL = ("ID", "TID")

# The kinds of difference, each with what it means.
KINDS = {
    "tree lost": "URLS or IDS is absent or holds no entry",
    "tree order": "keys are not in ascending order of their bytes",
    "set lost": "no key of either tree leads to the content set",
    "set added": "a key leads to a content set that the original does not have",
    "set copied": "a key leads to a second content set with the ID of one that is there",
    "key lost": "no key of the tree leads to the set, or not this one",
    "key changed": "another key leads to the set",
    "key added": "a further key leads to the set",
    "key redirected": "the key is there and leads to another set",
    "key leads to nothing": "the value of the key is not a content set",
    "value lost": "an entry of the set is absent",
    "value added": "the set has an entry that the original does not have",
    "value changed": "an entry of the set has another value",
    "member lost": "O lacks a page or an image",
    "member added": "O has a page or an image too many",
    "member replaced": "O has another page or image in place of one",
    "member order": "O has the pages in another order",
    "page shifted": "O has the page with the same number, which is another page",
    "page moved": "the page is the same and has another number",
    "page taken out": "O has the page, and the page tree does not",
    "page ID": "the ID of a page is absent or another",
    "image ID": "the ID of an image is absent or another",
    "page zoom": "PZ of a page is absent or another",
    "SpiderInfo lost": "the Web Capture information dictionary is absent",
    "SpiderInfo changed": "V of SpiderInfo has another value",
    "command lost": "SpiderInfo lacks a command",
    "command added": "SpiderInfo has a command too many",
}


@dataclass
class Difference:
    """Difference is a fact of the original that is not right, or an addition. The fact names it in the original."""

    kind: str
    fact: tuple
    place: str
    was: object
    now: object
    state: str
    reason: str = ""

    def data(self):
        d = {"kind": self.kind, "place": self.place, "was": printable(self.was), "is": printable(self.now)}
        return {**d, "reason": self.reason} if self.reason else d

    def __str__(self):
        was, now = printable(self.was), printable(self.now)
        line = f"{self.place}: {self.kind}: {was} -> {now}"
        return f"{line} ({self.reason})" if self.reason else line


class Classes:
    """Classes says which pages, or images, of both files are the same. A class is the index in the original; what
    only the other file has gets classes of its own. Of several that look the same, the one with the same ID is meant,
    or else the next in order, also if all have the same ID."""

    def __init__(self, first, second, similar=None):
        self.of = {id(item): n for n, item in enumerate(first)}
        self.first, self.taken = first, set()
        by_look = {}
        for n, item in enumerate(first):
            for look in item.looks:
                by_look.setdefault(look, []).append(n)
        rest = []
        for item in second:
            found = sorted({n for look in item.looks for n in by_look.get(look, ())})
            same = [n for n in found if first[n].id is not None and first[n].id == item.id]
            if 0 < len(same) < len(found):
                self.put(item, same)
            else:
                rest.append((item, found))
        for item, found in rest:
            if not found and similar:
                c = similar(item, first)
                found = [] if c is None else [c]
            self.put(item, found or [len(self.of) + len(first)])
        self.present = {self.of[id(item)] for item in second}

    def put(self, item, candidates):
        free = [c for c in candidates if c not in self.taken] or candidates
        self.of[id(item)] = free[0]
        self.taken.add(free[0])

    def __getitem__(self, item):
        return self.of[id(item)]


def similar_image(image, others):
    """Return the index of the image of the same size that looks nearly the same."""
    best = None
    for n, other in enumerate(others):
        if image.size == other.size and image.thumbnail and len(image.thumbnail) == len(other.thumbnail):
            distance = sum(abs(x - y) for x, y in zip(image.thumbnail, other.thumbnail)) / len(image.thumbnail)
            if distance < 6 and (best is None or distance < best[0]):
                best = distance, n
    return best and best[1]


def lacks_only(was, now):
    """Report whether some sources lack an entry, and all others have it as before."""
    return len(was) == len(now) and all(n in (w, None) for w, n in zip(was, now))


class Comparison:
    """Comparison holds what is right, wrong, and missing in the other file. similar_page finds the page of the
    original that looks like a page whose content stream was rewritten."""

    def __init__(self, original, other, similar_page=None):
        self.a, self.b = original, other
        self.pages = Classes(original.pages, other.pages, similar_page)
        self.images = Classes(list(original.images.values()), list(other.images.values()), similar_image)
        self.painted = {self.images[original.images[key]] for p in original.pages for key in p.painted}
        self.state, self.differences = {}, []
        self.present = set()  # the keys of the original that lead to any set in the other file
        self.match()
        for check in (self.check_trees, self.check_sets, self.check_marks, self.check_spider):
            check()

    # Matching of sets

    def label(self, member):
        """Return what a member is, in terms of the original: its kind and class."""
        if member.kind == "page":
            return "page", self.pages[member.target]
        if member.kind == "image":
            return "image", self.images[member.target]
        return member.kind, 0

    def labels(self, s):
        return [self.label(m) for m in s.members]

    def items(self, labels):
        """Return the pages and images of the other file that have one of some labels."""
        pages = [p for p in self.b.pages if ("page", self.pages[p]) in labels]
        return pages + [i for i in self.b.images.values() if ("image", self.images[i]) in labels]

    def keys(self, capture):
        """Return the keys of each set: {id(set): {(tree, key)}}."""
        found = {}
        for name, entries in capture.trees.items():
            for e in entries or ():
                found.setdefault(id(e.target), set()).add((name, e.key))
        return found

    def match(self):
        """Match sets of the other file to those of the original, best score first."""
        self.keys_a, self.keys_b = self.keys(self.a), self.keys(self.b)
        self.marks = {s.values["mark"] for s in self.b.sets} - {None}
        scores = []
        for i, x in enumerate(self.a.sets):
            for j, y in enumerate(self.b.sets):
                score = self.score(x, y)
                if score >= ENOUGH:
                    scores.append((-score, i, j))
        self.there, self.index = {}, {}  # index in a -> set of b; id(set of b) -> index in a
        self.twins = {}  # index in a -> sets of b that have the mark of the one in there
        for _, i, j in sorted(scores):
            y = self.b.sets[j]
            if i not in self.there and id(y) not in self.index:
                self.there[i], self.index[id(y)] = y, i
        for i, y in self.there.items():
            mark = y.values["mark"]
            others = [t for t in self.b.sets if id(t) not in self.index]
            self.twins[i] = [t for t in others if mark is not None and t.values["mark"] == mark]

    def identity(self, s):
        """Return what a set of the other file is: the index in the original, or what it says and lists."""
        i = self.index.get(id(s))
        return s and (s.subtype, s.id, tuple(self.labels(s))) if i is None else i

    def keys_now(self, i):
        """Return the keys that lead to a set of the original in the other file, or to a copy that a tree holds."""
        found = [self.there[i], *self.twins[i]] if i in self.there else []
        return set().union(*(self.keys_b.get(id(y), ()) for y in found))

    def score(self, x, y):
        v, w = x.values, y.values
        labels = self.labels(x)
        marked = w["mark"] is not None or v["mark"] not in self.marks
        if marked and labels and labels == self.labels(y) and all(v[f] == w[f] for f in FIELDS):
            return 200 + (v["mark"] == w["mark"])  # a set is what it says, but not a stray copy of a marked one
        if v["mark"] is not None and w["mark"] is not None:
            return 100 if v["mark"] == w["mark"] else 0
        score = -3 if v["S"] != w["S"] else 0
        score += 4 if v["ID"] is not None and v["ID"] == w["ID"] else 0
        la, lb = labels, self.labels(y)
        score += 4 if la and la == lb else 2 if set(la) & set(lb) else 0
        score += 3 if v["SI.AU"] and v["SI.AU"] == w["SI.AU"] else 0
        score += sum(1 for f in ("TS", "CT", "T", "TID") if v[f] is not None and v[f] == w[f])
        ka, kb = self.keys_a.get(id(x), set()), self.keys_b.get(id(y), set())
        return score + len({tree for tree, _ in ka & kb})

    # Agreement of keys and sets of the other file

    def agrees(self, tree, key, i):
        """Report whether a key led to a set of the original in the other file, and the set says the same."""
        found = [self.there[i], *self.twins[i]] if i in self.there else []
        return any((tree, key) in self.keys_b.get(id(y), ()) and y.says(tree, key) for y in found)

    def is_contested(self, tree, i):
        """Report whether a key that led to a set of the original says something else than the set, or a key that says
        the same led elsewhere."""
        keys = {key for name, key in self.keys_now(i) if name == tree}
        if any(not self.agrees(tree, key, i) for key in keys):
            return True
        elsewhere = [e.key for e in self.b.trees[tree] or () if e.key not in keys]
        return i in self.there and any(self.there[i].says(tree, key) for key in elsewhere)

    # Facts

    def note(self, kind, fact, place, was, now, state, reason=""):
        if state != ADDED:
            self.state[fact] = state
        self.differences.append(Difference(kind, fact, place, was, now, state, reason))

    def right(self, fact):
        self.state[fact] = RIGHT

    def name(self, i):
        return set_name(self.a.sets[i])

    def check_trees(self):
        for name, entries in self.a.trees.items():
            now = self.b.trees.get(name)
            useful = any(e.target for e in entries or ())
            if useful and not now:
                self.note("tree lost", ("tree", name), name, len(entries), 0, MISSING)
            elif useful:
                self.right(("tree", name))
                keys = [e.key for e in now if e.key is not None]
                ordered = [e.key for e in entries] == sorted(e.key for e in entries)
                if ordered and keys != sorted(keys):
                    self.note("tree order", ("order", name), name, "ascending", "not ascending", WRONG)
                elif ordered:
                    self.right(("order", name))
            there = {e.key for e in now or () if e.target}
            # A pair whose key is no string is damage of the original: no viewer can look it up.
            self.present |= {(name, e.key) for e in entries or () if e.key is not None and e.key in there}
            for i in range(len(self.a.sets)):
                self.check_keys(name, i)

    def check_keys(self, name, i):
        """Compare the keys of one tree that lead to a set."""
        was = {k for tree, k in self.keys_a.get(id(self.a.sets[i]), ()) if tree == name}
        there = self.there.get(i)
        now = {k for tree, k in self.keys_now(i) if tree == name}
        for k in was & now:
            self.right(("entry", name, k, i))
        others = sorted((k for k in now - was if not self.is_redirected(name, k)), key=repr)
        all_keys = {e.key: e.target for e in self.b.trees.get(name) or () if not self.is_partner(name, e)}
        for k in sorted(was - now, key=repr):
            fact, place = ("entry", name, k, i), f"{name} {show_key(k)}"
            if k in all_keys and all_keys[k] is None:
                self.note("key leads to nothing", fact, place, self.name(i), None, WRONG)
            elif k in all_keys:
                self.note("key redirected", fact, place, self.name(i), set_name(all_keys[k]), WRONG)
            elif others:
                self.note("key changed", fact, f"{name} of {self.name(i)}", k, others.pop(0), WRONG)
            else:
                reason = "" if there else "the set is lost"
                self.note("key lost", fact, place, self.name(i), None, MISSING, reason)
        for k in others:
            self.note("key added", ("added", name, k, i), f"{name} of {self.name(i)}", None, k, ADDED)

    def is_partner(self, name, entry):
        """Report whether an entry leads to a set of the original to which its key led there."""
        i = self.index.get(id(entry.target))
        return i is not None and (name, entry.key) in self.keys_a.get(id(self.a.sets[i]), ())

    def is_redirected(self, name, key):
        """Report whether a key of the original no longer leads to any of its sets."""
        was = [e.target for e in self.a.trees.get(name) or () if e.key == key]
        index = {**self.index, **{id(t): i for i, twins in self.twins.items() for t in twins}}
        now = [index.get(id(e.target)) for e in self.b.trees.get(name) or () if e.key == key]
        return bool(was) and not any(i is not None and self.a.sets[i] in was for i in now)

    def entries(self):
        """Return the entries of the other file that lead to sets of the original, as facts of additions."""
        return {("added", tree, key, i) for i in self.there for tree, key in self.keys_now(i)}

    def lists(self, i, label):
        """Report whether O of a set of the original lists a member in the other file."""
        return i in self.there and label in self.labels(self.there[i])

    def surplus(self):
        """Return how many sets of the other file are none of the original."""
        return sum(1 for s in self.b.sets if id(s) not in self.index)

    def wrong_keys(self, fact):
        """Return how many wrong keys of a tree lead to the set that a key was added to."""
        _, tree, _, i = fact
        was = self.keys_a.get(id(self.a.sets[i]), set())
        return sum(1 for name, key in self.keys_now(i) - was if name == tree)

    def check_sets(self):
        ids = {(s.subtype, s.id) for s in self.a.sets}
        for i, x in enumerate(self.a.sets):
            y = self.there.get(i)
            if y is None:
                self.note("set lost", ("set", i), self.name(i), "present", None, MISSING, self.why_lost(x))
                continue
            self.right(("set", i))
            for n, copy in enumerate([y, *self.twins[i]]):
                self.check_values(i, x, copy, n)
            self.check_members(i, x, y)
        for y in self.b.sets:
            if id(y) not in self.index:
                kind = "set copied" if (y.subtype, y.id) in ids else "set added"
                fact = kind, y.subtype, y.id, tuple(self.labels(y))
                self.note(kind, fact, set_name(y), None, "present", ADDED)

    def why_lost(self, x):
        """Say whether the members of a lost set are in the other file."""
        labels = self.labels(x)
        if not labels:
            return "it has no members"
        gone = [c for c in labels if not self.is_present(c)]
        kinds = "images" if labels[0][0] == "image" else "pages"
        if not gone:
            return f"its {kinds} are in the file"
        if kinds == "images" and not any(c in self.painted for _, c in gone):
            return "its images are not in the file, and no page painted them"
        return ("" if len(gone) == len(labels) else "some of ") + f"its {kinds} are not in the file"

    def is_present(self, label):
        kind, c = label
        classes = {"page": self.pages, "image": self.images}.get(kind)
        return classes is not None and c in classes.present

    def check_values(self, i, x, y, copy):
        for name in FIELDS:
            was, now = x.values[name], y.values[name]
            if name == "R":
                was, now = self.counts(x), self.counts(y)
            fact, place = ("value", i, name, copy), f"{self.name(i)} {name}"
            shown = (was, now) if name not in HEXADECIMAL else (hexadecimal(was), hexadecimal(now))
            if was is None and now is None:
                continue
            if was == now:
                self.right(fact)
            elif was is None:
                self.note("value added", fact, place, *shown, WRONG)
            elif now is None or name.startswith("SI.") and lacks_only(was, now):
                self.note("value lost", fact, place, *shown, MISSING)
            else:
                self.note("value changed", fact, place, *shown, WRONG)

    def counts(self, s):
        """Return R by image, copies of an image together, so that the order of O does not count."""
        counts = s.values["R"]
        if counts is None or len(counts) != len(s.members) or not all(isinstance(n, int) for n in counts):
            return counts
        total = Counter()
        for label, n in zip(self.labels(s), counts):
            total[label[1]] += n
        return sorted(total.items())

    def check_members(self, i, x, y):
        was, now = self.labels(x), self.labels(y)
        if x.subtype == "/SIS":  # several copies of an image are one member, and the order means nothing
            was, now = sorted(set(was)), sorted(set(now))
        name, unclaimed = self.name(i), Counter(n for n in now if n[0] != "missing") - Counter(was)
        lost = Counter(was) - Counter(now)
        for n, label in enumerate(was):
            fact = "member", i, n
            if not lost[label]:
                self.right(fact)
                continue
            lost[label] -= 1
            kind, new = self.replacement(x, y, n, label, unclaimed)
            state = WRONG if new else MISSING
            reason = "" if self.is_present(label) else "it is not in the file"
            self.note(kind, fact, f"{name} O", label, new, state, reason)
        for label in unclaimed.elements():
            self.note("member added", ("added", i, label), f"{name} O", None, label, ADDED)
        live = [n for n in now if n[0] in ("page", "image")]
        if Counter(was) == Counter(live):
            self.check_order(i, x, y, was, live)

    def replacement(self, x, y, n, label, unclaimed):
        """Return the kind of a lost member, and the label of what stands in its place."""
        if not +unclaimed:
            return "member lost", None
        now = self.labels(y)
        new = now[n] if n < len(now) and unclaimed[now[n]] > 0 else next(iter(+unclaimed))
        unclaimed[new] -= 1
        if label[0] == "page" and new[0] == "page":
            numbers = {m.target.number for m in y.members if self.label(m) == new}
            if x.members[n].target.number in numbers:
                return "page shifted", new
        return "member replaced", new

    def check_order(self, i, x, y, was, now):
        fact, name = ("member order", i), self.name(i)
        if was == now:
            self.right(fact)
        else:
            self.note("member order", fact, f"{name} O", was, now, WRONG)
        was, now = numbers(x), numbers(y)
        if now.count(0) > was.count(0):
            self.note("page taken out", ("page taken out", i), f"{name} O", was, now, ADDED)
        places = [sorted(zip(self.labels(s), (getattr(m.target, "number", 0) for m in s.members))) for s in (x, y)]
        if places[0] != places[1] and x.subtype != "/SIS":
            self.note("page moved", ("page moved", i), f"{name} O", was, now, ADDED)

    def check_marks(self):
        """Compare the IDs of pages and images, and PZ. Of copies, each has to agree."""
        images = list(self.a.images.values()), list(self.b.images.values())
        self.check_mark("page ID", self.pages, self.a.pages, self.b.pages, lambda p: hexadecimal(p.id))
        captured = {self.pages[p] for p in self.a.pages if p.id is not None}
        pages = [[p for p in c.pages if self.pages[p] in captured] for c in (self.a, self.b)]
        self.check_mark("page zoom", self.pages, *pages, lambda p: p.zoom)
        self.check_mark("image ID", self.images, *images, lambda m: hexadecimal(m.id))

    def check_mark(self, kind, classes, first, second, value):
        was, now = {}, {}
        for found, items in ((was, first), (now, second)):
            for item in items:
                found.setdefault(classes[item], set()).add(value(item))
        for c, expected in was.items():
            if c not in now or (expected == {None} and now[c] == {None}):
                continue
            extra, short = now[c] - expected - {None}, expected - now[c]
            fact, place = (kind, c), f"{kind.split()[0]} {c + 1}"
            if not extra and (not short or not short - {None}):
                self.right(fact)
            else:
                state = WRONG if extra else MISSING
                self.note(kind, fact, place, sorted(map(str, expected)), sorted(map(str, now[c])), state)

    def check_spider(self):
        was, now = self.a.spider, self.b.spider
        if not isinstance(was, dict):
            return
        if not isinstance(now, dict):
            self.note("SpiderInfo lost", ("spider",), "SpiderInfo", "present", None, MISSING)
            return
        self.right(("spider",))
        if was.get("V") != now.get("V"):
            self.note("SpiderInfo changed", ("spider", "V"), "SpiderInfo V", was.get("V"), now.get("V"), WRONG)
        else:
            self.right(("spider", "V"))
        rest = list(now.get("C") or [])
        for n, command in enumerate(was.get("C") or []):
            if command in rest:
                rest.remove(command)
                self.right(("command", n))
            else:
                self.note("command lost", ("command", n), f"SpiderInfo C {n}", command, None, MISSING)
        for command in rest:
            self.note("command added", ("command added", repr(command)), "SpiderInfo C", None, command, ADDED)


@dataclass
class Change:
    """Change is how a second file, made from the first, differs from it with regard to the original."""

    worse: list = field(default_factory=list)  # right in the first, not in the second
    invented: list = field(default_factory=list)  # missing or absent in the first, wrong in the second
    better: int = 0  # facts that are right now


def change(before, after):
    """Compare two comparisons with one original: before and after a repair."""
    known = {d.fact for d in before.differences} | before.entries()
    result = Change()
    for d in after.differences:
        state = before.state.get(d.fact)
        if d.kind == "page moved":
            continue
        if d.kind in ("set added", "set copied"):
            if d.fact not in known and before.surplus() < after.surplus():
                result.invented.append(d)
        elif d.state == ADDED:
            keys = d.kind == "key added" and before.wrong_keys(d.fact) >= after.wrong_keys(d.fact)
            listed = d.kind == "member added" and before.lists(*d.fact[1:])
            if d.fact not in known and not keys and not listed:
                result.invented.append(d)
        elif state == RIGHT:
            result.worse.append(d)
        elif d.state == WRONG and (state == MISSING or state is None and d.fact not in known):
            stayed = d.kind in ("member replaced", "page shifted") and before.lists(d.fact[1], d.now)
            if not stayed and not is_renamed(before, after, d.fact):
                result.invented.append(d)
    known = {d.fact[1:3] for d in result.worse if d.fact[0] == "entry"}
    for tree, key in sorted(before.present - after.present - known, key=repr):
        place = f"{tree} {show_key(key)}"
        result.worse.append(Difference("key lost", ("key", tree, key), place, "present", None, MISSING))
    result.better = sum(1 for f, s in after.state.items() if s == RIGHT and before.state.get(f) != RIGHT)
    return result


def is_renamed(before, after, fact):
    """Report whether a key is right again and leads where a wrong key led before, and to right sets: the value was
    wrong already."""
    if fact[0] != "entry":
        return False
    _, tree, key, _ = fact
    right = {e.key for e in before.a.trees[tree] or ()}
    led = {before.identity(e.target) for e in before.b.trees[tree] or () if e.key not in right}
    entries = [e for e in after.b.trees[tree] or () if e.key == key]
    leads = {after.identity(e.target) for e in entries if not after.is_partner(tree, e)}
    return None not in leads and leads <= led


def numbers(s):
    return [m.target.number for m in s.members if m.kind == "page"]


def hexadecimal(value):
    return value.hex() if isinstance(value, bytes) else value


def show_key(key):
    return str(printable(key))


def set_name(s):
    """Return the name of a set for people: its kind, its first URL, and its ID."""
    if s is None:
        return "nothing"
    kind = {"/SPS": "page set", "/SIS": "image set"}.get(s.subtype, "set")
    urls = [u for u in s.values["SI.AU"] or [] if u]
    first = urls[0] if urls else b"without URL"
    first = first.get("U") if isinstance(first, dict) else first
    return f"{kind} {printable(first)} <{hexadecimal(s.id)}>"

"""mutations makes contradictions in captures on purpose: it exchanges, copies, shifts, garbles, and removes records.

A slot is one record, with a function that reads it and one that sets it. Operators change slots of one kind, so
every kind of record meets every operator.
"""

from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from reader import MARK, is_dictionary

LEAF = 4


@dataclass
class Slot:
    """Slot is one record of a capture. owner says to which set or entry it belongs."""

    owner: str
    get: object
    set: object


class Mutator:
    """Mutator changes the database of an open document. Call write when all mutations are done."""

    def __init__(self, pdf, rng):
        self.pdf, self.rng = pdf, rng
        names = pdf.Root.Names
        self.trees = {name: entries_of(names.get("/" + name)) for name in ("URLS", "IDS")}
        self.sets = unique(s for entries in self.trees.values() for _, v in entries for s in sets_of(v))
        self.members = {s.objgen: list(s.O) for s in self.sets}  # another mutation may remove O
        self.limits = None
        self.touched = set()
        self.removed = set()  # trees
        self.direct_sets = []  # pairs of a tree and a set that is to stand in it

    # Slots

    def slots(self, record):
        if record in ("URLS key", "URLS value", "IDS key", "IDS value"):
            name, part = record.split()
            self.touched.add(name)
            return [self.entry_slot(e, ("key", "value").index(part), name) for e in self.trees[name]]
        if record in ("page ID", "image ID", "PZ"):
            kind, entry = {"page ID": ("/Page", "/ID"), "image ID": ("/Image", "/ID"), "PZ": ("/Page", "/PZ")}[record]
            members = [m for s in self.sets for m in self.members[s.objgen] if is_dictionary(m)]
            return [entry_slot(m, entry) for m in members if kind in (m.get("/Type"), m.get("/Subtype"))]
        if record in ("AU", "SI.TS"):
            slots = [source_slot(s, record) for s in self.sets]
            return [s for s in slots if s]
        if record == "IDs":  # the ID of a set and of its members together
            return [identifiers_slot([s, *filter(is_dictionary, self.members[s.objgen])]) for s in self.sets]
        if record == "O order":
            return [entry_slot(s, "/O") for s in self.sets if len(s.get("/O", ())) > 1]
        return [entry_slot(s, "/" + record) for s in self.sets if "/" + record in s]

    def entry_slot(self, entry, part, name):
        def put(value):
            entry[part] = value

        return Slot(name, lambda: entry[part], put)

    # Operators

    def apply(self, record, operator):
        """Apply an operator to records of a kind. Return what was done, or None if there are too few."""
        if record in ("set", "tree", "direct set", "extra page"):
            return getattr(self, operator.replace(" ", "_"))()
        if record == "Limits":
            self.limits = operator
            return f"{operator} Limits"
        slots = self.slots(record)
        if len(slots) < (1 if operator in ("garble", "remove", "reverse", "garble all") else 2):
            return None
        done = getattr(self, operator.replace(" ", "_"))(slots)
        return f"{operator} {record}{done or ''}"

    def exchange(self, slots):
        a, b = self.rng.sample(slots, 2)
        x, y = a.get(), b.get()
        a.set(y)
        b.set(x)

    def copy(self, slots):
        a, b = self.rng.sample(slots, 2)
        b.set(a.get())

    def shift(self, slots):
        values = [s.get() for s in slots]
        for slot, value in zip(slots, values[1:] + values[:1]):
            slot.set(value)

    def garble(self, slots):
        return self.garble_by(self.rng.choice(slots), self.rng.choice(list(GARBLES)))

    def garble_all(self, slots):
        how = self.rng.choice(list(GARBLES))
        for slot in slots:
            self.garble_by(slot, how)
        return f" {how}"

    def garble_by(self, slot, how):
        value = slot.get()
        if isinstance(value, String):
            slot.set(String(GARBLES[how](bytes(value), self.rng)))
            return f" {how}"
        if isinstance(value, Array):
            slot.set(Array([v for v in list(value)[1:]]))
        elif is_dictionary(value):
            slot.set(Dictionary(Type=Name.Other))
        else:
            slot.set(7)
        return None

    def remove(self, slots):
        self.rng.choice(slots).set(None)

    def reverse(self, slots):
        slot = self.rng.choice(slots)
        slot.set(Array(list(slot.get())[::-1]))

    def stray(self):
        """Add a copy of a set with the source information of another to one tree, or to both."""
        whole = [s for s in self.sets if all(k in s for k in ("/SI", "/ID", "/TS"))]
        if len(whole) < 2:
            return None
        s, other = self.rng.sample(whole, 2)
        values = {k: v for k, v in s.items() if k != "/" + MARK}
        foreign = self.rng.choice((other.SI, Dictionary(AU=String("http://stray.example.com/"), TS=s.TS)))
        copy = self.pdf.make_indirect(Dictionary({**values, "/SI": foreign}))
        where = self.rng.choice((("URLS",), ("IDS",), ("URLS", "IDS")))
        how = self.rng.choice(("next to", "instead of", "below a new key"))
        for name in where:
            self.touched.add(name)
            entries = self.trees[name]
            mine = [e for e in entries if any(v == s for v in sets_of(e[1]))]
            if how == "below a new key" or not mine:
                entries.append([String(b"http://stray.example.com/" if name == "URLS" else bytes(s.ID)), copy])
                continue
            entry = self.rng.choice(mine)
            others = [v for v in sets_of(entry[1]) if how == "next to" or v != s]
            entry[1] = Array([*others, copy]) if others else copy
        return f"stray copy {how} a set in {' and '.join(where)}".replace("key a set", "key")

    def remove_tree(self):
        if self.removed:
            return None
        name = self.rng.choice(sorted(self.trees))
        self.removed.add(name)
        self.trees[name] = []
        return f"remove {name}"

    def direct(self):
        """Have copies of a set stand in one tree, or in both, instead of the reference to it. Write makes them."""
        s = self.rng.choice(self.sets)
        where = self.rng.choice((("URLS",), ("IDS",), ("URLS", "IDS")))
        self.direct_sets += [(name, s) for name in where]
        self.touched.update(where)
        return f"set stands in {' and '.join(where)}"

    def add_page(self):
        """Add a page of another document at the front or at the end, as a plain page or as one of a capture."""
        captured, front = self.rng.random() < 0.5, self.rng.random() < 0.5
        content = self.pdf.make_stream(b"7 7 m 77 77 l 7 w S")
        page = Dictionary(Type=Name.Page, MediaBox=[0, 0, 612, 792], Resources=Dictionary(), Contents=content)
        if captured:
            page.ID, page.PZ = String(self.rng.randbytes(16)), 7
        page = pikepdf.Page(self.pdf.make_indirect(page))
        self.pdf.pages.insert(0 if front else len(self.pdf.pages), page)
        return f"add {'captured' if captured else 'plain'} page at the {'front' if front else 'end'}"

    # Writing

    def write(self):
        """Put the entries back, sorted or as they are, in one node or in leaves."""
        for name in self.removed:
            del self.pdf.Root.Names["/" + name]
        for name, s in self.direct_sets:
            for entry in self.trees[name]:
                entry[1] = with_direct(entry[1], s)
        self.touched -= self.removed
        sort = self.rng.random() < 0.5
        for name in sorted(self.touched) or [n for n in ("URLS", "IDS") if self.limits and n not in self.removed]:
            self.write_tree(name, sort)
        return " sorted again" if sort and self.touched else ""

    def write_tree(self, name, sort):
        root = self.pdf.Root.Names["/" + name]
        entries = self.trees[name]
        if sort:
            entries = sorted(entries, key=lambda e: bytes(e[0]) if isinstance(e[0], String) else b"")
        if "/Kids" not in root and not self.limits:
            root.Names = flat(entries)
            return
        leaves = []
        for i in range(0, len(entries), LEAF):
            part = entries[i : i + LEAF]
            keys = sorted(bytes(e[0]) for e in part if isinstance(e[0], String)) or [b""]
            limits = self.broken([keys[0], keys[-1]])
            leaf = Dictionary(Limits=Array([String(k) for k in limits]), Names=flat(part))
            leaves.append(self.pdf.make_indirect(leaf))
        for key in ("/Names", "/Kids"):
            if key in root:
                del root[key]
        root.Kids = Array(leaves)

    def broken(self, limits):
        if self.limits == "exchange":
            return limits[::-1]
        if self.limits == "garble":
            return [limits[0][:3], limits[1][:3]]
        if self.limits == "copy":
            return [limits[0], limits[0]]
        return limits


def flat(entries):
    return Array([part for e in entries for part in e])


def entries_of(root):
    """Return the entries of a well-formed tree as lists [key, value]."""
    if root is None:
        return []
    if "/Kids" in root:
        return [e for kid in root.Kids for e in entries_of(kid)]
    pairs = list(root.get("/Names", ()))
    return [[pairs[i], pairs[i + 1]] for i in range(0, len(pairs) - 1, 2)]


def sets_of(value):
    return list(value) if isinstance(value, Array) else [value] if is_dictionary(value) else []


def with_direct(value, s):
    """Return a value of a tree with a copy of a set instead of the reference to it."""
    if isinstance(value, Array):
        return Array([with_direct(v, s) for v in value])
    return Dictionary(dict(value.items())) if is_dictionary(value) and value.objgen == s.objgen else value


def unique(sets):
    return list({s.objgen: s for s in sets}.values())


def entry_slot(obj, name):
    """Return the slot of an entry of a dictionary."""

    def put(value):
        if value is None:
            if name in obj:
                del obj[name]
        else:
            obj[name] = value

    return Slot(str(obj.objgen), lambda: obj.get(name), put)


def source_slot(s, record):
    """Return the slot of the URL, or the time, of the first source of a set."""
    source = s.get("/SI")
    source = source[0] if isinstance(source, Array) and len(source) else source
    if not isinstance(source, Dictionary):
        return None
    if record == "SI.TS":
        return entry_slot(source, "/TS")
    address = source.get("/AU")
    return entry_slot(address, "/U") if is_dictionary(address) else entry_slot(source, "/AU")


def identifiers_slot(objects):
    """Return the slot of the ID that several objects share."""

    def put(value):
        for obj in objects:
            entry_slot(obj, "/ID").set(value)

    return Slot(str(objects[0].objgen), lambda: objects[0].get("/ID"), put)


def as_text(data, _):
    """Do what a tool does that takes bytes for text: write them as UTF-8, what is not text as a replacement."""
    return data.decode("cp1252", "replace").encode()


def random_bytes(data, rng):
    return rng.randbytes(len(data))


def flip(data, rng):
    if not data:
        return b"x"
    i = rng.randrange(len(data))
    return data[:i] + bytes([data[i] ^ 1 << rng.randrange(8)]) + data[i + 1 :]


GARBLES = {
    "as UTF-8": lambda d, r: d.decode("latin-1").encode(),
    "as UTF-16": lambda d, r: b"\xfe\xff" + d.decode("latin-1").encode("utf-16-be"),
    "as text": as_text,
    "with a mark": lambda d, r: b"\xef\xbb\xbf" + d,
    "escaped": lambda d, r: d.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)"),
    "hexadecimal": lambda d, r: d.hex().encode(),
    "cut": lambda d, r: d[: len(d) // 2],
    "random": random_bytes,
    "one bit": flip,
    "upper case": lambda d, r: d.upper(),
    "with a fragment": lambda d, r: d + b"#top",
    "empty": lambda d, r: b"",
}

# Each kind of record with the operators that make sense for it.
BYTES = ("exchange", "copy", "shift", "garble", "garble all", "remove")
RECORDS = {
    "URLS key": ("exchange", "copy", "shift", "garble", "garble all"),
    "URLS value": ("exchange", "copy", "shift", "remove"),
    "IDS key": ("exchange", "copy", "shift", "garble", "garble all"),
    "IDS value": ("exchange", "copy", "shift", "remove"),
    "AU": BYTES,
    "SI": ("exchange", "copy", "shift", "remove"),
    "ID": BYTES,
    "IDs": BYTES,
    "page ID": BYTES,
    "image ID": BYTES,
    "O": ("exchange", "copy", "shift", "remove"),
    "O order": ("reverse", "garble"),
    "TS": ("exchange", "copy", "garble", "remove"),
    "SI.TS": ("exchange", "copy", "garble", "remove"),
    "T": ("exchange", "garble", "remove"),
    "CT": ("garble", "remove"),
    "R": ("exchange", "garble", "remove"),
    "PZ": ("exchange", "copy", "garble", "remove"),
    "Limits": ("exchange", "copy", "garble"),
    "set": ("stray",),
}

# Further kinds. Only seeds from mutate.WIDE on draw them, so the mutations of the seeds below stay the same.
MORE = {"tree": ("remove tree",), "extra page": ("add page",), "direct set": ("direct",)}

# Records that others contradict if they are wrong. What only one record says, such as a title, an original decides.
WITNESSED = {
    record: [operator for operator in RECORDS[record] if operator != "remove"]
    for record in RECORDS
    if record not in ("O order", "TS", "SI.TS", "T", "CT", "R", "PZ", "Limits", "set")
}

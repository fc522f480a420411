"""kinds lists what happens to a capture before it is damaged, and what the repairs have to leave as it is.

A kind makes a file, the file that is right, and originals. Mutations then change the file, except for the first seeds
of a group. What is right decides, not the original: it can be older, invalid, or one of two.
"""

import io
from dataclasses import dataclass
from functools import partial

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mutations import Mutator, sets_of
from reader import MARK, is_dictionary

REFRESHED, EXPIRES, SECOND = "D:20190612090807Z", "D:20310612090807Z", "D:20120513140331Z"
LETTERS = "/caf\u00e9".encode()  # at the end of URLs that are not ASCII


@dataclass
class Case:
    """Case is the outcome of a preparation. originals are by the names of their files."""

    what: str
    file: bytes
    right: bytes
    originals: dict


@dataclass(frozen=True)
class Kind:
    """Kind has a function that makes cases, and for each mode of its runs what else fails: keys of mutate.TITLES.
    untold are entries of sets that originals do not tell."""

    make: object
    asked: dict
    untold: tuple = ()


def saved(pdf):
    out = io.BytesIO()
    pdf.save(out, static_id=True)
    return out.getvalue()


def opened(data):
    return pikepdf.open(io.BytesIO(data))


def some(sets, rng):
    return rng.sample(sets, min(len(sets), rng.randint(1, 3)))


def sources_of(s):
    return list(s.SI) if isinstance(s.SI, Array) else [s.SI]


def url_of(source):
    return bytes(source.AU.U if is_dictionary(source.AU) else source.AU)


# Refreshed after the original was saved


def refresh(base, rng):
    """Make a file that was refreshed after the original was saved."""
    with opened(base) as pdf:
        m, done = Mutator(pdf, rng), set()
        for s in some(m.sets, rng):
            name = rng.choice([n for n in REFRESHES if s.S == Name.SPS or n not in ("S", "T")])
            REFRESHES[name](m, s, sources_of(s)[0])
            done.add(name)
        for tree in m.trees:
            m.write_tree(tree, True)
        file = saved(pdf)
    return Case(f"refreshed {' and '.join(sorted(done))}", file, file, {"original.pdf": base})


def refresh_dates(_, s, source):
    s.TS = source.TS = String(REFRESHED)


def new_key(m, s, source):
    """Have a new URL lead to a set. Return the URL."""
    url = url_of(source) + b"?%d" % len(m.trees["URLS"])
    m.trees["URLS"].append([String(url), s])
    return String(url)


def add_source(m, s, source):
    s.SI = Array([*sources_of(s), Dictionary(AU=new_key(m, s, source), TS=String(REFRESHED))])


def add_chain(m, s, source):
    chains = list(source.AU.C) if is_dictionary(source.AU) else []
    chains.append(Array([new_key(m, s, source)]))
    source.AU = Dictionary(U=String(url_of(source)), C=Array(chains))


def move(m, s, source):
    """Have a site use https: the URL and its key."""
    old, new = url_of(source), String(url_of(source).replace(b"http:", b"https:"))
    if is_dictionary(source.AU):
        source.AU.U = new
    else:
        source.AU = new
    for entry in m.trees["URLS"]:
        if bytes(entry[0]) == old and sets_of(entry[1]) == [s]:
            entry[0] = new


def identify(m, s, _):
    """Give a set whose data changed another ID: in its members and in IDS, too."""
    old, new = bytes(s.ID), String(m.rng.randbytes(16))
    for item in (s, *s.O):
        item.ID = new
    for entry in m.trees["IDS"]:
        if bytes(entry[0]) == old:
            entry[0] = new


REFRESHES = {
    "SI.TS": lambda m, s, source: source.__setitem__("/TS", String(REFRESHED)),
    "TS": refresh_dates,
    "source": add_source,
    "chain": add_chain,
    "E": lambda m, s, source: source.__setitem__("/E", String(EXPIRES)),
    "S": lambda m, s, source: source.__setitem__("/S", 1),
    "T": lambda m, s, source: s.__setitem__("/T", String("Today")),
    "URL": move,
    "ID": identify,
}


# Two captures of one site


def second(base, rng):
    """Return a later capture of a site: the same IDs, other dates, and other content of some pages."""
    with opened(base) as pdf:
        m = Mutator(pdf, rng)
        for s in m.sets:
            s["/" + MARK] += 100
            s.TS = String(SECOND)
            for source in sources_of(s):
                source.TS = String(SECOND)
            for page in s.O if s.S == Name.SPS and rng.random() < 0.4 else ():
                page.Contents = pdf.make_stream(b"q 12 w 9 9 m 99 %d l S Q" % rng.randrange(999))
        return saved(pdf)


def merge(base, rng):
    """Make a file that holds two captures of one site, and both as originals."""
    other = second(base, rng)
    with opened(base) as pdf, opened(other) as added:
        m, more = Mutator(pdf, rng), Mutator(added, rng)
        pdf.pages.extend(added.pages)
        for name, entries in m.trees.items():
            values = {bytes(key): sets_of(value) for key, value in entries}
            for key, value in more.trees[name]:
                values.setdefault(bytes(key), []).extend(pdf.copy_foreign(s) for s in sets_of(value))
            m.trees[name] = [[String(k), Array(sets) if len(sets) > 1 else sets[0]] for k, sets in values.items()]
            m.write_tree(name, True)
        file = saved(pdf)
    return Case("two captures", file, file, {"original.pdf": base, "second.pdf": other})


# URLs in another encoding than their keys

ENCODINGS = {
    "Latin-1": lambda text: text.encode("latin-1"),
    "UTF-16": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-8 with a mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "octal": lambda text: b"".join(b"%c" % b if b < 0x80 else b"\\%03o" % b for b in text.encode()),
}


def encode(base, rng, told=False):
    """Make a file whose keys are UTF-8, while the URLs of some sets are in another encoding. If told, the URLs before
    that are right. Otherwise nothing tells, and all stays."""
    with opened(base) as pdf:
        m, how = Mutator(pdf, rng), rng.choice(list(ENCODINGS))
        for s in m.sets:
            for source in sources_of(s):
                set_url(source, url_of(source) + LETTERS)
        for entry in m.trees["URLS"]:
            entry[0] = String(bytes(entry[0]) + LETTERS)
        m.write_tree("URLS", True)
        original = saved(pdf)
        for s in some(m.sets, rng):
            for source in sources_of(s):
                set_url(source, ENCODINGS[how](url_of(source).decode()))
        file = saved(pdf)
    return Case(f"URLs in {how}", file, original if told else file, {"original.pdf": original})


def set_url(source, url):
    if is_dictionary(source.AU):
        chains = [[c if c.endswith(LETTERS) else c + LETTERS for c in map(bytes, chain)] for chain in source.AU.C]
        source.AU = Dictionary(U=String(url), C=Array([Array([String(c) for c in chain]) for chain in chains]))
    else:
        source.AU = String(url)


# Copies of pages


def copy_pages(base, rng):
    """Make a file in which pages stand twice in the page tree, and O of some sets leads to nothing or to the set."""
    with opened(base) as pdf:
        m = Mutator(pdf, rng)
        sets = [s for s in m.sets if s.S == Name.SPS and len(s.O) > 1]
        sets = [rng.choice(sets)] if sets and rng.random() < 0.7 else []
        for s in sets:
            page = rng.choice(list(s.O))
            del pdf.pages[[p.obj.objgen for p in pdf.pages].index(page.objgen)]
            pdf._swap_objects(page.objgen, (len(pdf.objects) + 1, 0))  # so that references lead to null
            if rng.random() < 0.3:
                s.O.append(s)
        for n in sorted(rng.sample(range(len(pdf.pages)), min(len(pdf.pages), rng.randint(1, 2))), reverse=True):
            copy = pdf.make_indirect(Dictionary(dict(pdf.pages[n].obj.items())))
            pdf.pages.insert(rng.choice((n + 1, len(pdf.pages))), pikepdf.Page(copy))
        file = saved(pdf)
        for s in sets:
            s.O = Array([member for member in s.O if member is not None and member.objgen != s.objgen])
        return Case(f"copies of pages{' and a dead element' if sets else ''}", file, saved(pdf), {"original.pdf": base})


# Invalid values of the original

NO_DATES = (String("2008-05-13T14:03:30Z"), String("D:20081399000000Z"), Name.Today, 20080513)
INVALID = {
    "TS": NO_DATES,
    "SI.TS": NO_DATES,
    "SI.E": NO_DATES,
    "SI.S": (7, String("1")),
    "T": (Name.Title, 7, String(b"\xfe\xff\0T\0")),
    "CT": (String("text html"), String("html"), String(b"text/\xe9"), Name("/text/html"), 7),
    "TID": (String(b"x" * 15), 7),
}


def invalidate(base, rng):
    """Make a file that lacks values which are invalid in the original, or that has valid ones there."""
    with opened(base) as pdf:
        m, done, before = Mutator(pdf, rng), [], []
        for s in some(m.sets, rng):
            name = rng.choice([n for n in INVALID if s.S == Name.SPS or n not in ("SI.S", "T", "TID")])
            holder, entry = (sources_of(s)[0] if name.startswith("SI.") else s), "/" + name.removeprefix("SI.")
            before.append((holder, entry, holder.get(entry) if rng.random() < 0.4 else None))
            holder[entry] = rng.choice(INVALID[name])
            done.append(name)
        original = saved(pdf)
        for holder, entry, value in before:
            if value is None:
                del holder[entry]
            else:
                holder[entry] = value
        file = saved(pdf)
    return Case(f"invalid {' and '.join(sorted(done))} in the original", file, file, {"original.pdf": original})


# What fails in each mode, next to right values that became wrong.
KINDS = {
    "refreshed": Kind(refresh, {"rewrite": ("changed", "promised"), "from": ("changed",)}),
    "merged": Kind(
        merge,
        {
            "rewrite": ("changed", "promised"),
            "from": ("changed", "invented"),
            "second": ("changed", "invented"),
            "both": ("changed", "invented"),
        },
        untold=("R",),  # the pages of both captures show an image that these share
    ),
    "encoded": Kind(encode, {"rewrite": ("changed", "promised")}),
    "encoded-told": Kind(partial(encode, told=True), {"from": ()}),
    "copied": Kind(copy_pages, {"rewrite": ("changed", "promised"), "from": ("changed", "invented")}, untold=("R",)),
    "invalid": Kind(invalidate, {"rewrite": ("changed", "promised"), "from": ("changed", "invented")}),
}

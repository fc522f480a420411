"""edits lists changes of a capture, each with the kinds of difference that it makes."""

import io
from functools import cache

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from generate import Generator

PAGES, IMAGES, SEED = 4, 4, 9
SMALL = b"\nq 0.001 0 0 0.001 0 0 cm 0 0 5000 5000 re f Q"  # at the end of the content of the first page


@cache
def original():
    g = Generator(SEED, PAGES, IMAGES)
    g.kids = False
    pdf = g.make()
    put(pdf.pages[0].obj, "/Contents", pdf.make_stream(pdf.pages[0].obj.Contents.read_bytes() + SMALL))
    out = io.BytesIO()
    pdf.save(out, static_id=True)
    return out.getvalue()


def edited(edit, **options):
    """Return the original after an edit of the open document."""
    with pikepdf.open(io.BytesIO(original())) as pdf:
        edit(pdf)
        out = io.BytesIO()
        pdf.save(out, **options)
        return out.getvalue()


def names(pdf, tree):
    return pdf.Root.Names[tree].Names


def sets(pdf, subtype):
    """Return the content sets of one kind in the order of IDS."""
    pairs = list(names(pdf, "/IDS"))
    return [s for s in pairs[1::2] if s.S == subtype]


def exchange(a, b, name):
    a[name], b[name] = b[name], a[name]


def add_key(pdf, key, target):
    """Add a key to URLS in its place."""
    pairs = names(pdf, "/URLS")
    both = [(bytes(pairs[i]), pairs[i + 1]) for i in range(0, len(pairs), 2)] + [(key, target)]
    ordered = sorted(both, key=lambda p: p[0])
    pdf.Root.Names.URLS.Names = Array([v for k, s in ordered for v in (String(k), s)])


def delete_keys(pdf, target):
    """Remove a set from both trees."""
    for tree in ("/URLS", "/IDS"):
        pairs = list(names(pdf, tree))
        kept = [v for i in range(0, len(pairs), 2) if pairs[i + 1] != target for v in pairs[i : i + 2]]
        pdf.Root.Names[tree].Names = Array(kept)


def stray(pdf, changes):
    """Add a copy of an image set with other entries to URLS."""
    s = sets(pdf, "/SIS")[0]
    copy = Dictionary({**dict(s.items()), **changes})
    add_key(pdf, b"http://www.example.com/zzz", pdf.make_indirect(copy))


def swap_pages(pdf):
    first = pdf.pages[0]
    del pdf.pages[0]
    pdf.pages.insert(1, first)


def shift_pages(pdf):
    """Take out the first page and let the set refer to the page that has its number now."""
    s = next(s for s in sets(pdf, "/SPS") if pdf.pages[0].obj in list(s.O))
    del pdf.pages[0]
    s.O = Array([pdf.pages[0].obj] + list(s.O)[1:])


def exchange_contents(pdf):
    """Exchange what two pages of different sets show; the pages and their IDs stay where they are."""
    a, b = (s.O[0] for s in sets(pdf, "/SPS")[:2])
    exchange(a, b, "/Contents")
    exchange(a, b, "/Resources")


def exchange_images(pdf):
    """Exchange the images that two pages of different sets show; contents stay."""
    a, b = (s.O[0].Resources.XObject for s in sets(pdf, "/SPS")[:2])
    exchange(a, b, "/Im0")


def change_small_numbers(pdf):
    data = pdf.pages[0].obj.Contents.read_bytes().replace(b"0.001", b"0.004")
    put(pdf.pages[0].obj, "/Contents", pdf.make_stream(data))


def other_page(pdf):
    s, other = sets(pdf, "/SPS")[:2]
    s.O[0] = other.O[0]


def several(pdf):
    return next(s for s in sets(pdf, "/SPS") if len(s.O) > 1)


# An edit, and the kinds of difference that it makes, in any number.
EDITS = {
    "nothing": (lambda p: None, set()),
    "URLS removed": (lambda p: p.Root.Names.__delitem__("/URLS"), {"tree lost", "key lost"}),
    "keys out of order": (lambda p: reverse(names(p, "/URLS")), {"tree order"}),
    "set dropped": (lambda p: delete_keys(p, sets(p, "/SIS")[0]), {"set lost", "key lost"}),
    "set added": (
        lambda p: stray(p, {"/ID": String(b"0" * 16), "/O": Array(), "/SI": Dictionary(AU=String("http://z/"))}),
        {"set added"},
    ),
    "set copied": (lambda p: stray(p, {"/SI": Dictionary(AU=String("http://z/"))}), {"set copied"}),
    "key removed": (lambda p: [names(p, "/URLS").__delitem__(0) for _ in range(2)], {"key lost"}),
    "key renamed": (lambda p: put(names(p, "/URLS"), 0, String("http://a/")), {"key changed"}),
    "key added": (lambda p: add_key(p, b"http://zzz/", sets(p, "/SIS")[0]), {"key added"}),
    "values exchanged": (lambda p: swap(names(p, "/IDS"), 1, 3), {"key redirected"}),
    "value null": (lambda p: put(names(p, "/IDS"), 1, None), {"key leads to nothing"}),
    "CT removed": (lambda p: sets(p, "/SPS")[0].__delitem__("/CT"), {"value lost"}),
    "CT added": (lambda p: put(sets(p, "/SIS")[0], "/CT", String("image/gif")), {"value added"}),
    "S changed": (lambda p: put(sets(p, "/SIS")[0], "/S", Name.SPS), {"value changed"}),
    "SI exchanged": (lambda p: exchange(*sets(p, "/SIS")[:2], "/SI"), {"value changed"}),
    "ID exchanged": (lambda p: exchange(*sets(p, "/SPS")[:2], "/ID"), {"value changed"}),
    "TS changed": (lambda p: put(sets(p, "/SPS")[0], "/TS", String("D:2001")), {"value changed"}),
    "T changed": (lambda p: put(sets(p, "/SPS")[0], "/T", String("other")), {"value changed"}),
    "R changed": (lambda p: put(sets(p, "/SIS")[0], "/R", Array([7])), {"value changed"}),
    "page dropped from O": (lambda p: several(p).O.__delitem__(0), {"member lost"}),
    "page added to O": (lambda p: sets(p, "/SPS")[0].O.append(sets(p, "/SPS")[1].O[0]), {"member added"}),
    "image replaced": (lambda p: exchange(*sets(p, "/SIS")[:2], "/O"), {"member replaced", "value changed"}),
    "O reversed": (lambda p: reverse_list(several(p).O), {"member order"}),
    "page deleted, O by number": (shift_pages, {"page shifted"}),
    "page deleted, O as it was": (lambda p: p.pages.__delitem__(0), {"page taken out", "page moved"}),
    "pages exchanged": (swap_pages, {"page moved"}),
    "contents exchanged": (exchange_contents, {"page shifted", "page ID", "page zoom"}),
    "images exchanged in Resources": (exchange_images, {"page shifted"}),
    "small numbers changed": (change_small_numbers, {"page shifted"}),
    "content changed": (lambda p: put(p.pages[0].obj, "/Contents", p.make_stream(b"0 0 m 9 9 l S")), {"page shifted"}),
    "image data changed": (
        lambda p: sets(p, "/SIS")[-1].O[0].write(b"x" * 99),
        {"member replaced", "value changed", "page shifted"},
    ),
    "page of another set in O": (other_page, {"member replaced"}),
    "page ID removed": (lambda p: p.pages[0].obj.__delitem__("/ID"), {"page ID"}),
    "page ID changed": (lambda p: put(p.pages[0].obj, "/ID", String(b"1" * 16)), {"page ID"}),
    "image ID changed": (lambda p: put(sets(p, "/SIS")[0].O[0], "/ID", String(b"1" * 16)), {"image ID"}),
    "PZ changed": (lambda p: put(p.pages[0].obj, "/PZ", 9), {"page zoom"}),
    "SpiderInfo removed": (lambda p: p.Root.__delitem__("/SpiderInfo"), {"SpiderInfo lost"}),
    "V changed": (lambda p: put(p.Root.SpiderInfo, "/V", 2), {"SpiderInfo changed"}),
    "command removed": (lambda p: put(p.Root.SpiderInfo, "/C", Array()), {"command lost"}),
    "command added": (lambda p: p.Root.SpiderInfo.C.append(Dictionary(URL=String("http://c/"))), {"command added"}),
}


def put(container, place, value):
    container[place] = value


def swap(array, i, j):
    array[i], array[j] = array[j], array[i]


def reverse(array):
    pairs = [(array[i], array[i + 1]) for i in range(0, len(array), 2)]
    for i, (key, value) in enumerate(reversed(pairs)):
        array[2 * i], array[2 * i + 1] = key, value


def reverse_list(array):
    for i, value in enumerate(reversed(list(array))):
        array[i] = value

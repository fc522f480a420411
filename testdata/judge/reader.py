"""reader reads the Web Capture content database of a PDF with pikepdf.

It shares no code with webcap: name trees are walked as plain dictionaries and arrays. Strings stay bytes, and
pages and images are identified by their content, so two files can be compared whose objects have other numbers.
"""

import hashlib
import io
import re
from dataclasses import dataclass, field
from decimal import Decimal

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

MAX_DEPTH = 64
MARK = "JudgeMark"  # private entry by which mutations recognize content sets
IMAGE_ENTRIES = ("BitsPerComponent", "ColorSpace", "Filter", "DecodeParms", "Decode", "ImageMask")


# Types of the entries of a source (table 391). A value of another type has no meaning, so nothing is lost with it.
SOURCE_TYPES = {"AU": (bytes, dict), "TS": bytes, "E": bytes, "S": int, "C": dict}


@dataclass
class Page:
    """Page is a page of the page tree, or one that only a content set refers to (number 0)."""

    number: int
    id: bytes | None
    zoom: float | None
    looks: frozenset
    painted: tuple = ()  # images, as object keys


@dataclass
class Image:
    """Image is an image XObject. Two images are the same if they share a look. md5 is that of its data as stored."""

    key: tuple
    id: bytes | None
    looks: frozenset
    size: tuple
    thumbnail: bytes = b""
    md5: bytes = b""


@dataclass
class Member:
    """Member is an element of O: kind is page, image, missing, or other."""

    kind: str
    target: object = None


@dataclass
class ContentSet:
    """ContentSet is a content set with the values of its entries; absent ones are None."""

    key: tuple
    values: dict = field(default_factory=dict)
    members: list = field(default_factory=list)

    @property
    def subtype(self):
        return self.values.get("S")

    @property
    def id(self):
        return self.values.get("ID")

    @property
    def live(self):
        """Return the pages and images in O."""
        return [m.target for m in self.members if m.kind in ("page", "image")]

    def says(self, tree, key):
        """Report whether a key of a tree is the ID of the set, or one of its URLs."""
        if tree == "IDS":
            return self.id == key
        for address in self.values.get("SI.AU") or ():
            if address == key:
                return True
            if isinstance(address, dict):
                chains = [c for c in address.get("C") or () if isinstance(c, list)]
                if address.get("U") == key or any(key in chain for chain in chains):
                    return True
        return False


@dataclass
class Entry:
    """Entry is one content set below a key of a tree; target is None if the value is not a content set."""

    key: bytes | None
    target: ContentSet | None


@dataclass
class Capture:
    """Capture is the content database of a file, with its pages and images. A tree that is absent is None."""

    path: str
    trees: dict
    sets: list
    pages: list
    images: dict
    spider: dict | None

    @property
    def empty(self):
        return not self.sets


def object_key(obj, parent):
    """Return what identifies an object of one file: its number, or the place where a direct object stands."""
    return obj.objgen if isinstance(obj, Object) and obj.is_indirect else ("direct",) + tuple(parent)


def is_dictionary(obj):
    return isinstance(obj, (Dictionary, Stream))


def plain(obj, depth=0):
    """Return a value as Python data: strings as bytes, numbers as int or float, names as str."""
    if isinstance(obj, String):
        return bytes(obj)
    if isinstance(obj, Name):
        return str(obj)
    if isinstance(obj, (Decimal, float)):
        return round(float(obj), 3)  # tools write numbers with few digits
    if obj is None or isinstance(obj, (bool, int)):
        return obj
    if depth > MAX_DEPTH:
        return "too deep"
    if isinstance(obj, Stream):
        return {"stream": obj.read_bytes()}
    if isinstance(obj, Dictionary):
        return {str(k)[1:]: plain(v, depth + 1) for k, v in obj.items()}
    if isinstance(obj, Array):
        return [plain(v, depth + 1) for v in obj]
    return repr(obj)


def text(obj):
    """Return a text string as text, so that two encodings of one text are equal."""
    return str(obj) if isinstance(obj, String) else plain(obj)


def get(dictionary, name):
    return dictionary.get("/" + name) if is_dictionary(dictionary) else None


def digest(*parts):
    """Return the MD5 of parts, each with its length before it."""
    h = hashlib.md5()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        h.update(b"%d:" % len(data) + data)
    return h.hexdigest()


PICTURES = {}  # looks and thumbnails, by the digest of an image
TEMPLATES = {}  # by the digest of a content stream, since tools and repairs leave most as they are


def template(obj):
    """Return a content stream as bytes, with a pair (name, operator) where the stream names a resource."""
    contents = obj if isinstance(obj, Stream) else get(obj, "Contents")
    try:
        parts = [contents] if isinstance(contents, Stream) else list(contents or ())
        key = digest(*(p.read_bytes() for p in parts))
        if key not in TEMPLATES:
            TEMPLATES[key] = list(template_parts(pikepdf.parse_content_stream(obj)))
        return TEMPLATES[key]
    except Exception:  # pikepdf raises many kinds for damaged streams
        return [b"unreadable"]


def template_parts(operations):
    done = bytearray()
    for operands, operator in operations:
        name = str(operator)
        if name == "INLINE IMAGE":
            done += digest(bytes(operands[0].unparse())).encode()
        for value in operands if name != "INLINE IMAGE" else ():
            for part in operand_parts(value, name):
                if isinstance(part, tuple):
                    yield bytes(done)
                    yield part
                    done.clear()
                else:
                    done += part.encode() + b" "
        done += name.encode() + b"\n"
    yield bytes(done)


def operand_parts(value, operator):
    if isinstance(value, Name):
        if operator in ("Do", "Tf", "scn", "SCN"):
            yield str(value), operator
        else:
            yield "name" if operator in ("gs", "cs", "CS", "BDC", "DP", "sh") else str(value)
    elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        yield number(float(value))
    elif isinstance(value, Array):
        for v in value:
            yield from operand_parts(v, operator)
        yield "]"
    else:
        yield "dictionary" if isinstance(value, Dictionary) else repr(plain(value))


def number(value):
    """Return a number as text, in as many digits as tools keep: two decimals, or two digits of a small number."""
    if abs(value) >= 0.1 or abs(value) < 0.00005:
        return format(round(value, 2) + 0.0, ".2f")
    return format(value, ".2g")


def preference(look):
    """Order looks by how much a tool has to change to change them: pixels first, stored data last."""
    return ("pixels", "samples", "raw").index(look.split(":")[0])


class Looks:
    """Looks computes what identifies pages and images by content. It caches by object number."""

    def __init__(self):
        self.images = {}
        self.forms = {}

    def image(self, obj):
        """Return the Image of an image XObject."""
        key = obj.objgen
        if key not in self.images:
            self.images[key] = self.read_image(obj, key)
        return self.images[key]

    def read_image(self, obj, key):
        size = (plain(get(obj, "Width")), plain(get(obj, "Height")))
        entries = [plain(get(obj, name)) for name in IMAGE_ENTRIES]
        data = obj.read_raw_bytes()
        cached = digest(size, repr(entries), data)
        if cached not in PICTURES:
            PICTURES[cached] = self.picture(obj, size)
        looks, thumbnail = PICTURES[cached]
        return Image(key, string_of(get(obj, "ID")), looks, size, thumbnail, hashlib.md5(data).digest())

    def picture(self, obj, size):
        """Return the looks of an image and its thumbnail."""
        looks, thumbnail = set(), b""
        try:
            looks.add("raw:" + digest(size, obj.read_raw_bytes()))
            pixels = pikepdf.PdfImage(obj).as_pil_image().convert("RGB")
            looks.add("pixels:" + digest(pixels.size, pixels.tobytes()))
            thumbnail = pixels.resize((8, 8)).tobytes()
        except Exception:  # pikepdf and PIL raise many kinds for what they cannot decode
            try:
                colours = get(obj, "ColorSpace")
                colours = str(colours) if isinstance(colours, Name) else "array"
                looks.add("samples:" + digest(size, plain(get(obj, "BitsPerComponent")), colours, obj.read_bytes()))
            except Exception:
                pass
        return frozenset(looks), thumbnail

    def page(self, obj):
        """Return the looks of a page, its content stream with the resources that it names, and the images it paints."""
        look, painted = self.content(obj, inherited(obj, "Resources"), ())
        return frozenset({"content:" + look}), tuple(sorted(painted))

    def content(self, obj, resources, above):
        """Return the digest of the content stream of a page, a form, or a pattern, and the images it paints."""
        h, painted = hashlib.md5(), set()
        for part in template(obj):
            if not isinstance(part, bytes):
                part, images = self.resource(*part, resources, above)
                part = part.encode()
                painted |= images
            h.update(part)
        return h.hexdigest(), painted

    def resource(self, name, operator, resources, above):
        """Return what a name in a content stream stands for, since tools rename resources, and the images it paints."""
        kind = {"Do": "XObject", "Tf": "Font"}.get(operator, "Pattern")
        obj = get(get(resources, kind), name[1:])
        if not is_dictionary(obj):
            return "missing", set()
        if kind == "Font":
            return re.sub(r"^/[A-Z]{6}\+", "/", str(plain(get(obj, "BaseFont")))), set()
        key = obj.objgen
        if get(obj, "Subtype") == Name.Image:
            return min(self.image(obj).looks, key=preference, default="image"), {key}
        if key in above or len(above) > MAX_DEPTH or not isinstance(obj, Stream):
            return "nested", set()
        if key not in self.forms:
            self.forms[key] = self.content(obj, get(obj, "Resources") or resources, above + (key,))
        return self.forms[key]


def inherited(page, name):
    """Return an entry of a page, or of the nearest node above it."""
    for _ in range(MAX_DEPTH):
        if not is_dictionary(page):
            return None
        value = get(page, name)
        if value is not None:
            return value
        page = get(page, "Parent")
    return None


def string_of(obj):
    return bytes(obj) if isinstance(obj, String) else None


class Reader:
    """Reader reads one open file."""

    def __init__(self, pdf, path):
        self.pdf, self.path = pdf, path
        self.looks = Looks()
        self.sets, self.pages = {}, {}

    def read(self):
        """Return the capture of the file."""
        for i, page in enumerate(self.pdf.pages):
            self.page(page.obj, i + 1)
        names = get(self.pdf.Root, "Names")
        trees = {name: self.tree(get(names, name)) for name in ("URLS", "IDS")}
        images = {key: self.looks.image(obj) for key, obj in self.images().items()}
        spider = plain(get(self.pdf.Root, "SpiderInfo"))
        return Capture(self.path, trees, list(self.sets.values()), list(self.pages.values()), images, spider)

    def images(self):
        """Return the images that the catalog leads to. Tools leave objects behind to which nothing refers."""
        found = {o.objgen: o for o in self.pdf.objects if isinstance(o, Stream) and get(o, "Subtype") == Name.Image}
        used = {key for p in self.pages.values() for key in p.painted}
        used |= {m.target.key for s in self.sets.values() for m in s.members if m.kind == "image"}
        if set(found) - used:
            reached = self.reachable()
            found = {key: obj for key, obj in found.items() if key in reached}
        return found

    def reachable(self):
        """Return the numbers of the objects that the catalog leads to, not through pages that were taken out."""
        seen, todo = set(), [self.pdf.Root]
        while todo:
            obj = todo.pop()
            if obj.is_indirect:
                gone = isinstance(obj, Dictionary) and get(obj, "Type") == Name.Page and obj.objgen not in self.pages
                if obj.objgen in seen or gone:
                    continue
                seen.add(obj.objgen)
            values = obj if isinstance(obj, Array) else [v for _, v in obj.items()]
            todo.extend(v for v in values if isinstance(v, (Array, Dictionary, Stream)))
        return seen

    def page(self, obj, number=0):
        key = obj.objgen
        if key not in self.pages:
            looks, painted = self.looks.page(obj)
            self.pages[key] = Page(number, string_of(get(obj, "ID")), plain(get(obj, "PZ")), looks, painted)
        return self.pages[key]

    def tree(self, root):
        """Return the entries of a name tree in the order of the file; None if there is no tree."""
        if not is_dictionary(root):
            return None
        entries, seen, todo = [], set(), [root]
        while todo:
            node = todo.pop()
            if not is_dictionary(node) or (node.is_indirect and node.objgen in seen):
                continue
            seen.add(node.objgen if node.is_indirect else id(node))
            kids, pairs = get(node, "Kids"), get(node, "Names")
            if isinstance(kids, Array):
                todo.extend(reversed(list(kids)))
            if isinstance(pairs, Array):
                for i in range(0, len(pairs), 2):
                    value = pairs[i + 1] if i + 1 < len(pairs) else None
                    place = (node.objgen, i)
                    entries.extend(Entry(string_of(pairs[i]), s) for s in self.targets(value, place))
        return entries

    def targets(self, value, place):
        """Return the content sets of a value of a tree, or None for one that is something else."""
        if isinstance(value, Array):
            return [self.content_set(v, place + (i,)) for i, v in enumerate(value)] or [None]
        return [self.content_set(value, place)]

    def content_set(self, obj, place):
        if not is_dictionary(obj):
            return None
        key = object_key(obj, place)
        if key not in self.sets:
            self.sets[key] = ContentSet(key)
            self.fill(self.sets[key], obj)
        return self.sets[key]

    def fill(self, target, obj):
        values = target.values
        for name in ("S", "ID", "CT", "TS", "TID", "R"):
            values[name] = plain(get(obj, name))
        values["T"] = text(get(obj, "T"))
        values["mark"] = plain(get(obj, MARK))
        if not isinstance(values["R"], list) and values["R"] is not None:
            values["R"] = [values["R"]]
        sources = get(obj, "SI")
        sources = list(sources) if isinstance(sources, Array) else [] if sources is None else [sources]
        for name in SOURCE_TYPES:
            found = [plain(get(s, name)) for s in sources]
            found = [v if isinstance(v, SOURCE_TYPES[name]) else None for v in found]
            values["SI." + name] = found if any(v is not None for v in found) else None
        members = get(obj, "O")
        target.members = [self.member(m) for m in members] if isinstance(members, Array) else []

    def member(self, obj):
        if not is_dictionary(obj):
            return Member("missing" if obj is None else "other")
        if get(obj, "Subtype") == Name.Image:
            return Member("image", self.looks.image(obj))
        if get(obj, "Type") in (Name.Page, Name.Template):
            return Member("page", self.page(obj))
        return Member("other")


def open_pdf(path, password=""):
    """Open a file with pikepdf. The caller closes it."""
    return pikepdf.open(path, password=password)


def read(path, password=""):
    """Read the capture of a file."""
    with open_pdf(path, password) as pdf:
        return Reader(pdf, str(path)).read()


def read_bytes(data, path="-"):
    """Read the capture of a file in memory."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return Reader(pdf, path).read()


def printable(value):
    """Return a value as JSON data: bytes as text if they are printable ASCII, else as <hex>."""
    if isinstance(value, bytes):
        return value.decode() if all(0x20 <= b < 0x7F for b in value) else "<" + value.hex() + ">"
    if isinstance(value, dict):
        return {str(k): printable(v) for k, v in sorted(value.items(), key=lambda kv: str(kv[0]))}
    if isinstance(value, (list, tuple)):
        return [printable(v) for v in value]
    return value


def hexadecimal(data):
    return None if data is None else data.hex()


def dump(capture):
    """Return a capture as canonical JSON data, without object numbers."""
    index = {id(s): i for i, s in enumerate(capture.sets)}
    trees = {}
    for name, entries in capture.trees.items():
        trees[name] = entries and [
            {"key": printable(e.key), "set": None if e.target is None else index[id(e.target)]} for e in entries
        ]
    sets = []
    for s in capture.sets:
        values = {k: printable(v) for k, v in s.values.items() if v is not None and k != "mark"}
        for name in ("ID", "TID"):
            if isinstance(s.values.get(name), bytes):
                values[name] = s.values[name].hex()
        sets.append({**dict(sorted(values.items())), "O": [dump_member(m) for m in s.members]})
    pages = [
        {"number": p.number, "id": hexadecimal(p.id), "zoom": p.zoom, "looks": sorted(p.looks)}
        for p in sorted(capture.pages, key=lambda p: p.number)
    ]
    images = sorted(({"id": hexadecimal(i.id), "looks": sorted(i.looks)} for i in capture.images.values()), key=str)
    return {"trees": trees, "sets": sets, "pages": pages, "images": images, "SpiderInfo": printable(capture.spider)}


def dump_member(member):
    if member.kind == "page":
        return {"page": member.target.number, "looks": sorted(member.target.looks)}
    if member.kind == "image":
        return {"image": sorted(member.target.looks)}
    return {member.kind: True}

"""generate writes small captures with pikepdf, for tests of the judge, the tool matrix, and mutations."""

import hashlib
import io
import random
import sys

import pikepdf
from PIL import Image
from pikepdf import Array, Dictionary, Name, Stream, String

SITE = "http://www.example.com"
LEAF = 4  # entries of a leaf, in captures whose trees have kids


class Generator:
    """Generator makes one capture. The seed decides its shape, unless pages and images say it."""

    def __init__(self, seed=0, pages=None, images=None):
        self.rng = random.Random(seed)
        self.seed = seed
        self.page_sets = pages or self.rng.randint(1, 5)
        self.image_sets = self.rng.randint(0, 6) if images is None else images
        self.kids = self.rng.random() < 0.4
        self.shared = self.rng.random() < 0.5  # keys are indirect and shared, as Acrobat writes them
        self.pdf = pikepdf.new()
        self.entries = {"URLS": {}, "IDS": {}}
        self.named = {}

    def make(self):
        """Return the document."""
        pictures = [self.image_set(n) for n in range(self.image_sets)]
        for n in range(self.page_sets):
            self.page_set(n, pictures)
        trees = {"/" + name: self.tree(pairs) for name, pairs in self.entries.items()}
        destinations = Dictionary(Names=Array([v for k in sorted(self.named) for v in (String(k), self.named[k])]))
        self.pdf.Root.Names = Dictionary({**trees, "/Dests": self.pdf.make_indirect(destinations)})
        command = Dictionary(URL=String(SITE + "/"), L=1, S=Dictionary(G=Dictionary(AH=0)))
        spider = Dictionary(V=1, C=Array([self.pdf.make_indirect(command)]))
        self.pdf.Root.SpiderInfo = self.pdf.make_indirect(spider)
        return self.pdf

    def data(self):
        out = io.BytesIO()
        self.make().save(out, static_id=True)
        return out.getvalue()

    def string(self, value):
        """Return a string for a key or an entry, indirect in captures that share strings."""
        s = String(value)
        return self.pdf.make_indirect(s) if self.shared else s

    def image_set(self, n):
        """Add an image set and return its image. The ID of a JPEG is the MD5 of its data."""
        size = (3 + n, 2 + self.rng.randrange(5))
        pixels = bytes(self.rng.randrange(256) for _ in range(size[0] * size[1] * 3))
        if n % 2:
            image = Stream(self.pdf, pixels)
            name, identifier = f"{n}.gif", self.rng.randbytes(16)
        else:
            body = jpeg(size, pixels)
            image = Stream(self.pdf, body)
            image.Filter = Name.DCTDecode
            name, identifier = f"{n}.jpg", hashlib.md5(body).digest()
        image.Type, image.Subtype = Name.XObject, Name.Image
        image.Width, image.Height, image.BitsPerComponent, image.ColorSpace = *size, 8, Name.DeviceRGB
        key = self.string(identifier)
        image.ID = key
        image = self.pdf.make_indirect(image)
        count = 1 if n < self.page_sets else 0
        more = Dictionary(R=Array([count]))
        self.content_set("/SIS", key, [image], f"{SITE}/img/{name}", more, n)
        return image

    def page_set(self, n, pictures):
        url, identifier = SITE + ("/" if n == 0 else f"/{n}/index.html"), self.rng.randbytes(16)
        key, members = self.string(identifier), []
        for part in range(self.rng.randint(1, 3)):
            shown = pictures[n : n + 1] if part == 0 else []
            page = self.page(n, part, shown)
            page.ID, page.PZ = key, 1 + n
            members.append(page)
            if part == 0:
                anchor = identifier.replace(b"\\", b"\\\\").replace(b"\0", b"\\0").replace(b".", b"\\p") + b"top"
                self.named[anchor] = Array([page, Name.Fit])
        more = Dictionary(CT=String("text/html"), T=String(f"Page {n}"), TID=String(self.rng.randbytes(16)))
        self.content_set("/SPS", key, members, url, more, n)

    def page(self, n, part, shown):
        """Add a page with content of its own."""
        lines = [f"{n + 1} {part} m {100 + self.rng.randrange(400)} {200 + n} l {part + 1} w S"]
        resources = {}
        for i, image in enumerate(shown):
            resources[f"/Im{i}"] = image
            lines.append(f"q 40 0 0 40 {50 + 50 * i} 600 cm /Im{i} Do Q")
        page = Dictionary(
            Type=Name.Page,
            MediaBox=[0, 0, 612, 792],
            Resources=Dictionary(XObject=Dictionary(resources)),
            Contents=self.pdf.make_stream("\n".join(lines).encode()),
        )
        self.pdf.pages.append(pikepdf.Page(self.pdf.make_indirect(page)))
        return self.pdf.pages[-1].obj

    def content_set(self, subtype, key, members, url, more, n):
        stamp = String(f"D:200{self.rng.randrange(10)}05131403{self.rng.randrange(10, 60)}Z")
        urls = [url]
        address = self.string(url)
        sources = Dictionary(AU=address, TS=stamp)
        keys = {url: address}
        if n == 1:  # a redirect
            keys[url + "?from"] = self.string(url + "?from")
            alias = Dictionary(U=address, C=Array([Array([keys[url + "?from"]])]))
            sources = Dictionary(AU=alias, TS=stamp)
        elif n == 2:  # two URLs with the same data
            urls.append(url.replace("www", "www2"))
            keys[urls[1]] = self.string(urls[1])
            sources = Array([sources, Dictionary(AU=keys[urls[1]], TS=stamp)])
        values = {"/Type": Name.SpiderContentSet, "/S": Name(subtype), "/ID": key, "/O": Array(members)}
        more = dict(more.items())
        s = self.pdf.make_indirect(Dictionary({**values, "/SI": sources, "/TS": stamp, **more}))
        for u, text in keys.items():
            self.entries["URLS"].setdefault(u.encode(), (text, []))[1].append(s)
        self.entries["IDS"].setdefault(bytes(key), (key, []))[1].append(s)

    def tree(self, pairs):
        """Return the root of a name tree, with leaves in some captures."""
        keys = sorted(pairs)

        def names(part):
            flat = []
            for k in part:
                text, sets = pairs[k]
                flat += [text, sets[0] if len(sets) == 1 else Array(sets)]
            return Array(flat)

        if not self.kids or len(keys) <= LEAF:
            return self.pdf.make_indirect(Dictionary(Names=names(keys)))
        leaves = []
        for i in range(0, len(keys), LEAF):
            part = keys[i : i + LEAF]
            leaf = Dictionary(Limits=Array([String(part[0]), String(part[-1])]), Names=names(part))
            leaves.append(self.pdf.make_indirect(leaf))
        return self.pdf.make_indirect(Dictionary(Kids=Array(leaves)))


def jpeg(size, pixels):
    out = io.BytesIO()
    Image.frombytes("RGB", size, pixels).save(out, "JPEG")
    return out.getvalue()


if __name__ == "__main__":
    seed_argument, path = sys.argv[1:]
    with open(path, "wb") as f:
        f.write(Generator(int(seed_argument)).data())

"""operations lists what tools do to PDF files, for the tool matrix.

A command is a line, or several, in which IN, OUT, OTHER (a file without a database), CAPTURE (another capture), and
FILE (a text file) stand for paths; HERE is this folder. The commands run in a folder that holds these files only.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
JARS = ":".join(f"/usr/share/java/{name}.jar" for name in ("pdfbox", "commons-logging", "fontbox", "bcprov"))
PDFBOX = f"java -cp {JARS} org.apache.pdfbox."
MODULES = HERE / "tools" / "node_modules"
PYTHON = "/usr/lib/python3/dist-packages"


@dataclass(frozen=True)
class Operation:
    """Operation is what a tool does to a file. takes: it takes pages out on purpose; merges: it adds another file."""

    name: str
    commands: tuple
    needs: tuple = ()
    python: str = ""
    takes: bool = False
    merges: bool = False
    rewrites: bool = False  # content streams are written anew, so pages are compared by their rendering, too

    def missing(self):
        """Return what the operation needs and is not there, or None."""
        for need in self.needs:
            there = Path(need).exists() if "/" in need else shutil.which(need)
            if not there:
                return need
        return None


def line(name, *commands, **flags):
    first = commands[0].split()[0]
    needs = flags.pop("needs", (first,) if "/" not in first else ())
    return Operation(name, commands, needs=tuple(needs), **flags)


def pdfbox(name, arguments, **flags):
    return line("PDFBox 1.8 " + name, PDFBOX + arguments, needs=("java", "/usr/share/java/pdfbox.jar"), **flags)


def python(name, module, code, **flags):
    """Return an operation of a Python module; a, b, and c are the paths IN, OUT, and CAPTURE."""
    return Operation(name, (), needs=(f"{PYTHON}/{module}",), python=f"import {module}\n{code}", **flags)


def perl(name, module, code, **flags):
    path = "/usr/share/perl5/" + module.replace("::", "/") + ".pm"
    script = f"perl -M{module} -e '{code}' IN OUT CAPTURE"
    return line(name, script, needs=("perl", path), **flags)


def node(name, operation, **flags):
    library = {"pdflib": "pdf-lib", "pdfjs": "pdfjs-dist", "pdfium": "@embedpdf"}[operation.split("-")[0]]
    command = f"node HERE/tools/rewrite.mjs {operation} IN OUT CAPTURE"
    return line(name, command, needs=("node", str(MODULES / library)), **flags)


def graft(name, operation, **flags):
    return line(name, f"mutool run HERE/tools/graft.js {operation} IN OUT", **flags)


def pdfcpu(name, operation, **flags):
    return line("pdfcpu " + name, f"PDFCPU {operation} IN OUT OTHER", needs=("go",), **flags)


CLONE = "w=pypdf.PdfWriter()\nw.clone_document_from_reader(pypdf.PdfReader(a))\n"
API2 = 'my $d = PDF::API2->open($ARGV[0]); '
CAM = 'my $d = CAM::PDF->new($ARGV[0]); '
NEW = 'my $n = PDF::API2->new(); $n->import_page($d, $_) for 1 .. $d->pages; $n->saveas($ARGV[1])'

OPERATIONS = [
    line("qpdf", "qpdf IN OUT"),
    line("qpdf --object-streams=generate", "qpdf --object-streams=generate IN OUT"),
    line("qpdf --linearize", "qpdf --linearize IN OUT"),
    line("qpdf --qdf", "qpdf --qdf IN OUT", rewrites=True),
    line("qpdf --encrypt", "qpdf --encrypt '' owner 256 -- IN OUT"),
    line("qpdf --json and back", "qpdf --json-output IN IN.json", "qpdf --json-input IN.json OUT"),
    line("qpdf --coalesce-contents", "qpdf --coalesce-contents IN OUT"),
    line("qpdf --flatten-rotation --rotate", "qpdf --rotate=+90 IN OUT"),
    line(
        "qpdf --split-pages, the first",
        "qpdf --split-pages IN p%d.pdf",
        "sh -c 'cp $(ls p*.pdf | head -n 1) OUT'",
        takes=True,
    ),
    line("qpdf --empty --pages", "qpdf --empty --pages IN -- OUT"),
    line("qpdf --pages . 1", "qpdf IN --pages . 1 -- OUT", takes=True),
    line("qpdf --pages . z-1", "qpdf IN --pages . z-1 -- OUT"),
    line("qpdf --empty --pages 1", "qpdf --empty --pages IN 1 -- OUT", takes=True),
    line("qpdf --pages, with another capture", "qpdf IN --pages . CAPTURE -- OUT", merges=True),
    line("qpdf --pages, with itself", "qpdf IN --pages . IN -- OUT", merges=True),
    line("mutool clean -gg", "mutool clean -gg IN OUT"),
    line("mutool clean -ggz", "mutool clean -ggz IN OUT"),
    line("mutool clean -ggggzl", "mutool clean -ggggzl IN OUT"),
    line("mutool clean -s", "mutool clean -s IN OUT", rewrites=True),
    line("mutool clean, the first page", "mutool clean IN OUT 1", takes=True),
    line("mutool merge", "mutool merge -o OUT IN"),
    line("mutool merge, with another capture", "mutool merge -o OUT IN CAPTURE", merges=True),
    line("mutool convert", "mutool convert -F pdf -o OUT IN", rewrites=True),
    line("mutool poster", "mutool poster -x 1 -y 1 IN OUT"),
    graft("mutool run, save", "save"),
    graft("mutool run, deletePage", "delete", takes=True),
    graft("mutool run, graftPage with a map", "map"),
    graft("mutool run, graftPage", "page"),
    graft("mutool run, graftObject of pages", "objects"),
    line("pdfunite, with another file", "pdfunite IN OTHER OUT", merges=True),
    line("pdfunite, with another capture", "pdfunite IN CAPTURE OUT", merges=True),
    line("pdfunite, with itself", "pdfunite IN IN OUT", merges=True),
    line("pdfseparate, the first page", "pdfseparate -f 1 -l 1 IN OUT", takes=True),
    line("pdfseparate, then pdfunite", "pdfseparate IN p%03d.pdf", "sh -c 'pdfunite p*.pdf OUT || cp p001.pdf OUT'"),
    line("pdfattach", "pdfattach IN FILE OUT"),
    line("pdftocairo -pdf", "pdftocairo -pdf IN OUT", rewrites=True),
    line("pdftk cat", "pdftk IN cat output OUT"),
    line("pdftk cat end-1", "pdftk IN cat end-1 output OUT"),
    line("pdftk cat 1", "pdftk IN cat 1 output OUT", takes=True),
    line("pdftk cat, with another capture", "pdftk A=IN B=CAPTURE cat A B output OUT", merges=True),
    line("pdftk burst, then cat", "pdftk IN burst output p%03d.pdf", "sh -c 'pdftk p*.pdf cat output OUT'"),
    line("pdftk rotate", "pdftk IN rotate 1east output OUT"),
    line("pdftk output", "pdftk IN output OUT uncompress"),
    line("pdftk encrypt", "pdftk IN output OUT owner_pw owner"),
    line("pdftk update_info", "sh -c 'pdftk IN dump_data output info.txt'", "pdftk IN update_info info.txt output OUT"),
    line("pdftk stamp", "pdftk IN stamp OTHER output OUT", rewrites=True),
    line("gs -sDEVICE=pdfwrite", "gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=OUT IN", rewrites=True),
    line(
        "gs, /ebook",
        "gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -dPDFSETTINGS=/ebook -sOutputFile=OUT IN",
        rewrites=True,
    ),
    pdfbox("PDFMerger, with another file", "PDFMerger IN OTHER OUT", merges=True),
    pdfbox("PDFMerger, with another capture", "PDFMerger IN CAPTURE OUT", merges=True),
    pdfbox("PDFMerger, with itself", "PDFMerger IN IN OUT", merges=True),
    pdfbox("Encrypt", "Encrypt -O owner -keyLength 128 IN OUT"),
    pdfbox("WriteDecodedDoc", "WriteDecodedDoc IN OUT"),
    pdfbox("OverlayPDF", "OverlayPDF IN OTHER OUT", rewrites=True),
    Operation(
        "PDFBox 1.8 PDFSplit, the first page",
        (PDFBOX + "PDFSplit -split 1 IN", "mv in-0.pdf OUT"),
        needs=("java", "/usr/share/java/pdfbox.jar"),
        takes=True,
    ),
    pdfcpu("optimize", "optimize"),
    pdfcpu("collect, all pages", "collect"),
    pdfcpu("trim, the first page", "trim", takes=True),
    pdfcpu("split, the first page", "split", takes=True),
    pdfcpu("rotate", "rotate"),
    pdfcpu("insert a page", "insert"),
    pdfcpu("merge, with another file", "merge", merges=True),
    node("pdf-lib save", "pdflib-save"),
    node("pdf-lib copyPages", "pdflib-copy"),
    node("pdf-lib copyPages, the first", "pdflib-first", takes=True),
    node("pdf-lib removePage", "pdflib-remove", takes=True),
    node("pdf-lib insertPage", "pdflib-insert"),
    node("pdf-lib rotate", "pdflib-rotate"),
    node("pdf-lib, another capture appended", "pdflib-merge", merges=True),
    node("pdf.js saveDocument, with a note", "pdfjs-save"),
    node("pdf.js extractPages", "pdfjs-extract"),
    node("pdf.js extractPages, the first", "pdfjs-extract-first", takes=True),
    node("pdf.js extractPages, with another capture", "pdfjs-merge", merges=True),
    node("PDFium SaveAsCopy", "pdfium-save"),
    node("PDFium ImportPages", "pdfium-import"),
    node("PDFium ImportPages, the first", "pdfium-import-first", takes=True),
    node("PDFium Page_Delete", "pdfium-delete", takes=True),
    node("PDFium SetRotation", "pdfium-rotate"),
    perl("PDF::API2 saveas", "PDF::API2", API2 + "$d->saveas($ARGV[1])"),
    perl("PDF::API2 import_page", "PDF::API2", API2 + NEW, rewrites=True),
    perl("PDF::API2 page added", "PDF::API2", API2 + "$d->page(1); $d->saveas($ARGV[1])"),
    perl("CAM::PDF rewritepdf", "CAM::PDF", CAM + "$d->cleanoutput($ARGV[1])"),
    perl(
        "CAM::PDF deletePage",
        "CAM::PDF",
        CAM + "$d->deletePage(1) if $d->numPages > 1; $d->cleanoutput($ARGV[1])",
        takes=True,
    ),
    perl(
        "CAM::PDF appendPDF, another capture",
        "CAM::PDF",
        CAM + "$d->appendPDF(CAM::PDF->new($ARGV[2])); $d->cleanoutput($ARGV[1])",
        merges=True,
    ),
    perl("CAM::PDF save, an update", "CAM::PDF", CAM + "$d->{changes}{1} = 1; $d->save; $d->output($ARGV[1])"),
    line("podofomerge, with another capture", "podofomerge IN CAPTURE OUT", merges=True),
    line("podofomerge, with another file", "podofomerge IN OTHER OUT", merges=True),
    line("podofopages --delete 0", "podofopages --delete 0 IN OUT", takes=True),
    line("podofogc", "podofogc IN OUT"),
    line("podofouncompress", "podofouncompress IN OUT"),
    line("podofocrop", "podofocrop IN OUT"),
    python(
        "pypdf, page by page",
        "pypdf",
        "w=pypdf.PdfWriter()\nfor p in pypdf.PdfReader(a).pages: w.add_page(p)\nw.write(b)",
    ),
    python("pypdf clone", "pypdf", CLONE + "w.write(b)"),
    python(
        "pypdf PdfMerger, with another capture",
        "pypdf",
        "m=pypdf.PdfMerger()\nm.append(a)\nm.append(c)\nm.write(b)",
        merges=True,
    ),
    python("PyMuPDF save", "fitz", "fitz.open(a).save(b, garbage=3, deflate=True)"),
    python("PyMuPDF save, garbage=4 clean", "fitz", "fitz.open(a).save(b, garbage=4, clean=True)", rewrites=True),
    python("PyMuPDF insert_pdf", "fitz", "d=fitz.open()\nd.insert_pdf(fitz.open(a))\nd.save(b)"),
    python(
        "PyMuPDF insert_pdf, another capture",
        "fitz",
        "d=fitz.open(a)\nd.insert_pdf(fitz.open(c))\nd.save(b)",
        merges=True,
    ),
    python(
        "PyMuPDF delete_page",
        "fitz",
        "d=fitz.open(a)\nif len(d)>1: d.delete_page(0)\nd.save(b, garbage=3)",
        takes=True,
    ),
    python(
        "PyMuPDF select, reversed",
        "fitz",
        "d=fitz.open(a)\nd.select(list(range(len(d)))[::-1])\nd.save(b, garbage=3)",
    ),
    python(
        "PyMuPDF save, an update",
        "fitz",
        "import shutil\nshutil.copy(a,b)\nd=fitz.open(b)\nd[0].set_rotation(90)\nd.saveIncr()",
    ),
    python("PyMuPDF copy_page", "fitz", "d=fitz.open(a)\nd.copy_page(0)\nd.save(b, garbage=3)"),
    python("PyMuPDF fullcopy_page", "fitz", "d=fitz.open(a)\nd.fullcopy_page(0)\nd.save(b, garbage=3)"),
    python("pikepdf save", "pikepdf", "pikepdf.open(a).save(b)"),
    python("pikepdf, page by page", "pikepdf", "w=pikepdf.new()\nw.pages.extend(pikepdf.open(a).pages)\nw.save(b)"),
    python(
        "pikepdf, another capture appended",
        "pikepdf",
        "d=pikepdf.open(a)\nd.pages.extend(pikepdf.open(c).pages)\nd.save(b)",
        merges=True,
    ),
    python(
        "pikepdf, first page deleted",
        "pikepdf",
        "d=pikepdf.open(a)\nif len(d.pages)>1: del d.pages[0]\nd.save(b)",
        takes=True,
    ),
]

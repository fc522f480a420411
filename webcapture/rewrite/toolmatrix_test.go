package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// toolOperation is one operation of a tool: a command line, in which IN, OUT and OTHER
// stand for paths.
type toolOperation struct {
	name   string
	needs  []string // programs, or files
	lines  []string // one after the other
	python string   // a program, with the paths as arguments
	pdfcpu func(in, out, other string) error
	takes  bool // pages are taken out on purpose
}

const pdfboxJars = "/usr/share/java/pdfbox.jar:/usr/share/java/commons-logging.jar:/usr/share/java/fontbox.jar"

var pdfLib = []string{"node", "../../testdata/pdf-lib/node_modules/pdf-lib"} // .ci/run installs it

var toolOperations = []toolOperation{
	{name: "qpdf IN OUT", needs: []string{"qpdf"}, lines: []string{"qpdf IN OUT"}},
	{name: "qpdf --object-streams=generate", needs: []string{"qpdf"},
		lines: []string{"qpdf --object-streams=generate IN OUT"}},
	{name: "qpdf --empty --pages", needs: []string{"qpdf"}, lines: []string{"qpdf --empty --pages IN -- OUT"}},
	{name: "qpdf --pages . 1", needs: []string{"qpdf"}, lines: []string{"qpdf IN --pages . 1 -- OUT"}, takes: true},
	{name: "qpdf --empty --pages 1", needs: []string{"qpdf"}, lines: []string{"qpdf --empty --pages IN 1 -- OUT"},
		takes: true},
	{name: "mutool clean -gg", needs: []string{"mutool"}, lines: []string{"mutool clean -gg IN OUT"}},
	{name: "mutool clean -ggz", needs: []string{"mutool"}, lines: []string{"mutool clean -ggz IN OUT"}},
	{name: "mutool merge", needs: []string{"mutool"}, lines: []string{"mutool merge -o OUT IN"}},
	{name: "pdfunite, with another file", needs: []string{"pdfunite"}, lines: []string{"pdfunite IN OTHER OUT"}},
	{name: "pdfseparate, the first page", needs: []string{"pdfseparate"},
		lines: []string{"pdfseparate -f 1 -l 1 IN OUT"}, takes: true},
	{name: "pdftk cat", needs: []string{"pdftk"}, lines: []string{"pdftk IN cat output OUT"}},
	{name: "gs -sDEVICE=pdfwrite", needs: []string{"gs"},
		lines: []string{"gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=OUT IN"}},
	{name: "PDFBox PDFMerger, with another file", needs: []string{"java", "/usr/share/java/pdfbox.jar"},
		lines: []string{"java -cp " + pdfboxJars + " org.apache.pdfbox.PDFMerger IN OTHER OUT"}},
	{name: "pdfcpu optimize", pdfcpu: func(in, out, _ string) error { return api.OptimizeFile(in, out, nil) }},
	{name: "pdfcpu collect, all pages",
		pdfcpu: func(in, out, _ string) error { return api.CollectFile(in, out, []string{"1-"}, nil) }},
	{name: "pdfcpu trim, the first page", takes: true,
		pdfcpu: func(in, out, _ string) error { return api.TrimFile(in, out, []string{"1"}, nil) }},
	{name: "pdfcpu split, the first page", takes: true, pdfcpu: func(in, out, _ string) error {
		dir := filepath.Dir(out)
		if err := api.SplitFile(in, dir, 1, nil); err != nil {
			return err
		}
		return os.Rename(filepath.Join(dir, strings.TrimSuffix(filepath.Base(in), ".pdf")+"_1.pdf"), out)
	}},
	{name: "pdfcpu merge, with another file",
		pdfcpu: func(in, out, other string) error { return api.MergeCreateFile([]string{in, other}, out, false, nil) }},
	{name: "pdf-lib save", needs: pdfLib, lines: []string{"node ../../testdata/pdf-lib/write.mjs save IN OUT"}},
	{name: "pdf-lib copyPages", needs: pdfLib, lines: []string{"node ../../testdata/pdf-lib/write.mjs copy IN OUT"}},
	{name: "pdf-lib copyPages, the first", needs: pdfLib,
		lines: []string{"node ../../testdata/pdf-lib/write.mjs first IN OUT"}, takes: true},
	{name: "pypdf, page by page", needs: []string{"/usr/lib/python3/dist-packages/pypdf"},
		python: "import pypdf\nw=pypdf.PdfWriter()\nfor p in pypdf.PdfReader(a).pages: w.add_page(p)\nw.write(b)"},
	{name: "PyMuPDF save", needs: []string{"/usr/lib/python3/dist-packages/fitz"},
		python: "import fitz\nfitz.open(a).save(b, garbage=3, deflate=True)"},
	{name: "PyMuPDF insert_pdf", needs: []string{"/usr/lib/python3/dist-packages/fitz"},
		python: "import fitz\nd=fitz.open()\nd.insert_pdf(fitz.open(a))\nd.save(b)"},
	{name: "pikepdf save", needs: []string{"/usr/lib/python3/dist-packages/pikepdf"},
		python: "import pikepdf\npikepdf.open(a).save(b)"},
	{name: "pikepdf, page by page", needs: []string{"/usr/lib/python3/dist-packages/pikepdf"},
		python: "import pikepdf\nw=pikepdf.new()\nw.pages.extend(pikepdf.open(a).pages)\nw.save(b)"},
}

// run carries an operation out. The error says that the tool refuses the file.
func (o toolOperation) run(dir, in, other string) (out string, err error) {
	out = filepath.Join(dir, "out.pdf")
	if o.pdfcpu != nil {
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("it panics: %v", v)
			}
		}()
		api.DisableConfigDir()
		return out, o.pdfcpu(in, out, other)
	}
	var lines [][]string
	for _, l := range o.lines {
		lines = append(lines, strings.Fields(l))
	}
	if o.python != "" {
		lines = append(lines, []string{"/usr/bin/python3", "-c", "import sys\na,b=sys.argv[1:3]\n" + o.python, "IN", "OUT"})
	}
	for _, l := range lines {
		for i, word := range l {
			if i > 0 && !strings.HasPrefix(word, "import") {
				l[i] = strings.NewReplacer("IN", in, "OUT", out, "OTHER", other).Replace(word)
			}
		}
		err = exec.Command(l[0], l[1:]...).Run() // warnings are errors for some
	}
	if info, statErr := os.Stat(out); statErr != nil || info.Size() == 0 {
		return "", errors.Join(err, statErr)
	}
	return out, nil
}

// missing returns what an operation needs and is not there.
func (o toolOperation) missing() string {
	for _, name := range o.needs {
		_, err := exec.LookPath(name)
		if strings.Contains(name, "/") {
			_, err = os.Stat(name)
		}
		if err != nil {
			return filepath.Base(name)
		}
	}
	return ""
}

// outcomes are what may become of a file, from the best to the worst.
var outcomes = []string{"kept", "repaired", "repaired with `--from`", "lost"}

// TestToolMatrix: what tools do to the database of real files and of a generated one, and
// what a rewrite makes of that. No file has more errors or warnings after a rewrite, and
// nearly all are equal to the original again, but for what was removed on purpose. With
// -update it writes docs/tools.md.
func TestToolMatrix(t *testing.T) {
	all := webcapturetest.All()
	paths := append(corpus(t), generated(t))
	other := filepath.Join(t.TempDir(), "other.pdf")
	if err := os.WriteFile(other, pdf(t, stripped), 0o600); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	cells, good, skipped := 0, 0, false
	for n, o := range toolOperations {
		count := map[string]int{}
		t.Run(o.name, func(t *testing.T) {
			if what := o.missing(); what != "" {
				skipped = true
				t.Skip("needs " + what)
			}
			for i, path := range paths {
				if !all && (n+i)%15 != 0 {
					continue
				}
				if outcome := o.outcome(t, path, other); outcome != "" {
					count[outcome]++
				}
			}
		})
		fmt.Fprintf(&table, "| %s |", o.name)
		for _, outcome := range outcomes {
			cells += count[outcome]
			if outcome != "lost" {
				good += count[outcome]
			}
			fmt.Fprintf(&table, " %d |", count[outcome])
		}
		table.WriteByte('\n')
	}
	t.Logf("%d of %d are equal to the original but for what was removed on purpose", good, cells)
	if all && good*100 < cells*95 {
		t.Errorf("%d of %d files are equal to the original again, too few", good, cells)
	}
	if *update && all && !skipped {
		writeToolTable(t, table.String(), good, cells)
	}
}

// outcome says what becomes of a file; empty if it is nothing that a tool could lose, or
// the tool refuses it.
func (o toolOperation) outcome(t *testing.T, path, other string) string {
	t.Helper()
	dir := t.TempDir()
	before, err := audit.File(path, audit.Options{})
	if err != nil || before.URLS+before.IDS == 0 || before.Repaired {
		return ""
	}
	out, err := o.run(dir, path, other)
	if err != nil {
		t.Logf("%s is refused: %v", filepath.Base(path), err)
		return ""
	}
	if o.equal(t, path, out) {
		return outcomes[0]
	}
	for i, opt := range []Options{{}, {From: []string{path}}} {
		repaired := filepath.Join(dir, fmt.Sprintf("repaired%d.pdf", i))
		p, err := Open(t.Context(), out, opt)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			return "lost"
		}
		if p.Empty() {
			p.Close()
			continue
		}
		full := p.repair.last.from.file.Appendable() != nil
		res, err := p.Install(context.Background(), Target{Path: repaired, Full: full, BreakSignatures: true})
		p.Close()
		if err != nil {
			t.Errorf("%s is refused: %v", filepath.Base(path), err)
			return "lost"
		}
		if len(opt.From) == 0 && res.Report.Count(rule.Error)+
			res.Report.Count(rule.Warning) > p.Report.Count(rule.Error)+p.Report.Count(rule.Warning) {
			t.Errorf("%s is worse after the rewrite: %v", filepath.Base(path), res.Report.Findings)
		}
		if o.equal(t, path, repaired) {
			return outcomes[i+1]
		}
	}
	res, _ := diff.Files(t.Context(), path, filepath.Join(dir, "repaired1.pdf"), diff.Options{})
	if res != nil {
		for _, c := range res.Changes {
			t.Logf("%s: %v %v: %s, %s", filepath.Base(path), c.Kind, c.Place, c.A, c.B)
		}
	}
	return "lost"
}

// equal reports whether a file has the database of the original, but for what was removed
// on purpose: pages, with what only they show, and images that no page shows.
func (o toolOperation) equal(t *testing.T, original, path string) bool {
	t.Helper()
	res, err := diff.Files(t.Context(), original, path, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hidden, captured := hiddenImages(t, original)
	for _, c := range res.Changes {
		text := fmt.Sprintf("%v %v", c.Kind, c.Place)
		switch {
		case strings.HasPrefix(text, "added"):
		case strings.HasPrefix(text, "lost image set") && hidden:
		case o.takes && (res.B.PageSets > 0 || !captured) && !strings.Contains(text, "SpiderInfo"):
		default:
			return false
		}
	}
	return true
}

// hiddenImages reports whether an image set has images that no page shows, and whether the
// first page, which is left when pages are taken out, is a captured one.
func hiddenImages(t *testing.T, path string) (hidden, captured bool) {
	t.Helper()
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	r := f.NewReader()
	shown := map[object.Ref]bool{}
	for pg, err := range r.Pages(db) {
		if err != nil {
			t.Fatal(err)
		}
		captured = captured || pg.Index == 0 && !pg.Dict.Lookup("ID").IsNull()
		for _, images := range []iter.Seq2[object.Ref, error]{r.Images(pg.Resources), r.PatternImages(pg.Resources)} {
			for ref := range images {
				shown[ref] = true
			}
		}
	}
	for c, err := range f.Contents(db).All(r) {
		if err != nil || c.Set == nil || c.Set.Subtype != webcapture.ImageSet {
			continue
		}
		for m := range c.Set.Members() {
			ref, _ := m.Ref()
			o, err := r.Get(ref)
			hidden = hidden || err == nil && o.Kind() == object.Stream && !shown[ref]
		}
	}
	return hidden, captured
}

// generated returns a generated capture of three pages that show images.
func generated(t *testing.T) string {
	t.Helper()
	const at = "http://www.example.com"
	list := []webcapturetest.Resource{
		{URL: at + "/", MediaType: "text/html", Aux: []int{1, 2}, Body: []byte(`<img src="a.gif"><img src="b.gif">`)},
		{URL: at + "/a.gif", MediaType: "image/gif", Body: picture(t, 1)},
		{URL: at + "/b.gif", MediaType: "image/gif", Body: picture(t, 5)},
		{URL: at + "/a.html", MediaType: "text/html", Aux: []int{1}, Body: []byte(`<img src="a.gif">`)},
		{URL: at + "/b.html", MediaType: "text/html", Aux: []int{2}, Body: []byte(`<p><img src="b.gif">`)},
	}
	path := filepath.Join(t.TempDir(), "generated.pdf")
	if err := os.WriteFile(path, webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}),
		0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func picture(t *testing.T, pixel int) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 3+pixel, 3), color.Palette{color.White, color.Black})
	m.Pix[pixel] = 1
	var b bytes.Buffer
	if err := gif.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// writeToolTable writes docs/tools.md.
func writeToolTable(t *testing.T, rows string, good, cells int) {
	t.Helper()
	text := `# What tools do to a content database

Made by ` + "`WEBCAP_TEST_ALL=1 go test ./webcapture/rewrite -run ToolMatrix -update`" + `. Each tool gets the real files of the
corpus that have a content database, and a generated one. Counted is what becomes of the
database, as ` + "`webcap diff`" + ` sees it: it is **kept**; it is **repaired** by ` + "`webcap rewrite`" + `; it is
**repaired with ` + "`--from`" + `** and the original; or something of it is **lost** nevertheless. What was removed on
purpose does not count: pages that were taken out, with what only they show, and images that no page shows. Files
that a tool refuses are left out.

| tool | kept | repaired | with ` + "`--from`" + ` | lost |
|---|---|---|---|---|
` + rows + fmt.Sprintf("\n%d of %d are equal to the original in the end.\n", good, cells)
	if err := os.WriteFile("../../docs/tools.md", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

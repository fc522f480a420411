package diff_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func open(t testing.TB, data []byte, password string) *webcapture.File {
	t.Helper()
	f, err := webcapture.New(context.Background(), data, webcapture.Options{Passwords: []string{password}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func compare(t testing.TB, a, b []byte) *diff.Result {
	t.Helper()
	res, err := diff.Compare(open(t, a, ""), open(t, b, ""))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// text describes a result, with a line for each change and unread part.
func text(r *diff.Result) string {
	var b strings.Builder
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%v %v: %s | %s\n", c.Kind, c.Place, c.A, c.B)
	}
	for side, s := range []*audit.Report{r.A, r.B} {
		for _, u := range s.Unread {
			fmt.Fprintf(&b, "unread in %c: %v: %v\n", "AB"[side], u.Place, u.Err)
		}
	}
	return b.String()
}

func TestFormMeansNothing(t *testing.T) {
	o := webcapturetest.Options{Images: 2, Shared: 5, Mirrors: 3, Aliases: 4, Commands: 4}
	const n = 40
	plain := webcapturetest.Sets(n, o).Bytes(webcapturetest.Layout{})
	indirect, literal, leaves := o, o, o
	indirect.IndirectKeys, literal.LiteralIDs, leaves.Leaf = true, true, 3
	for _, tt := range []struct {
		name     string
		options  webcapturetest.Options
		layout   webcapturetest.Layout
		password string
	}{
		{"itself", o, webcapturetest.Layout{}, ""},
		{"object streams", o, webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7}, ""},
		{"hybrid", o, webcapturetest.Layout{XRef: webcapturetest.Hybrid}, ""},
		{"linearized", o, webcapturetest.Layout{Linearized: true}, ""},
		{"encrypted", o, webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6, User: "u",
			Owner: "o"}},
			"u"},
		{"indirect keys", indirect, webcapturetest.Layout{}, ""},
		{"literal identifiers", literal, webcapturetest.Layout{}, ""},
		{"trees of many leaves", leaves, webcapturetest.Layout{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := webcapturetest.Sets(n, tt.options).Bytes(tt.layout)
			res, err := diff.Compare(open(t, plain, ""), open(t, other, tt.password))
			if err != nil {
				t.Fatal(err)
			}
			if !res.Same() {
				t.Errorf("not the same:\n%s", text(res))
			}
			if res.A.PageSets != n || res.B.PageSets != n {
				t.Errorf("%d and %d page sets, want %d", res.A.PageSets, res.B.PageSets, n)
			}
		})
	}
}

const (
	idA = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
	idB = "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	idC = "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
)

// base has a page set of two pages, an image set, and a page set with a redirect. A link keeps its URL in PA, and
// leads to a destination with the ID of the first page set.
const base = `
names: << /URLS 20 0 R /IDS 21 0 R /Dests << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> [ 6 0 R /Fit ] ] >> >>
spiderinfo: << /V 1.25 /C [ 15 0 R 16 0 R ] >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R 7 0 R ] /CT (text/html) /T (A) /SI [ << /AU (http://a.example/) /TS (D:2001) /C 15 0 R >> << /AU (http://m.example/) >> ] >>
6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /Contents 18 0 R
 /Annots [ << /Subtype /Link /PA << /S /URI /URI (http://b.example/#x) >> /A << /S /GoTo /D <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> >> >> ] >>
7 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /Contents [ 19 0 R ] >>
8 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 9 0 R ] /R [ 1 ] /SI << /AU (http://b.example/i.jpg) >> >>
9 0 obj << /Subtype /Image /Width 8 /Height 4 /Filter /DCTDecode /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> >> stream
jpeg
endstream
10 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 11 0 R ] /SI << /AU << /U (http://c.example/) /C [ [ (http://d.example/) ] ] >> >> >>
11 0 obj << /Type /Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> >>
15 0 obj << /URL (http://a.example/) /L 1 /S << /G << /X true >> >> >>
16 0 obj << /URL (http://c.example/) >>
18 0 obj << >> stream
first
endstream
19 0 obj << >> stream
second
endstream
20 0 obj << /Names [ (http://a.example/) 5 0 R (http://b.example/i.jpg) 8 0 R (http://c.example/) 10 0 R (http://d.example/) 10 0 R (http://m.example/) 5 0 R ] >>
21 0 obj << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 8 0 R <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 10 0 R ] >>
`

func edited(t testing.TB, edits ...string) []byte { return pdf(t, edit(t, base, edits...)) }

// edit replaces texts in s: each first of two edits by the second. It must be there once.
func edit(t testing.TB, s string, edits ...string) string {
	t.Helper()
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(s, edits[i]) != 1 {
			t.Fatalf("%q is there %d times", edits[i], strings.Count(s, edits[i]))
		}
		s = strings.Replace(s, edits[i], edits[i+1], 1)
	}
	return s
}

// pdf returns the file with the objects in s.
func pdf(t testing.TB, s string) []byte {
	t.Helper()
	d, err := webcapturetest.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return d.Bytes(webcapturetest.Layout{})
}

// lines returns the changes, sorted. With turned, it describes them in the other direction. Where the place ends with
// a key that depends on the direction, lines shows only the tree.
func lines(r *diff.Result, turned bool) []string {
	var list []string
	for _, c := range r.Changes {
		c.B, _, _ = strings.Cut(c.B, ", re-encoded") // only of the second file
		if turned {
			c.A, c.B = c.B, c.A
			if c.Kind != diff.Changed {
				c.Kind = diff.Added - c.Kind
			}
		}
		place := c.Place.String()
		if strings.HasSuffix(place, c.A) || strings.HasSuffix(place, c.B) {
			place = c.Place.Tree
		}
		list = append(list, fmt.Sprintf("%v %v: %s | %s", c.Kind, place, c.A, c.B))
	}
	slices.Sort(list)
	return list
}

// Empty trees are the same as missing trees: optimizers may drop them.
func TestEmptyTreesMeanNothing(t *testing.T) {
	var files [2][]byte
	for i, names := range []string{"names: << /URLS << >> /IDS << >> >>", "names: << >>"} {
		t.Run(names, func(t *testing.T) {
			d, err := webcapturetest.Parse(names)
			if err != nil {
				t.Fatal(err)
			}
			files[i] = d.Bytes(webcapturetest.Layout{})
		})
	}
	if res := compare(t, files[0], files[1]); !res.Same() || !res.Present() {
		t.Errorf("present %v:\n%s", res.Present(), text(res))
	}
}

// TestImages: images are compared by size and data without filters. Another image format is another image.
func TestImages(t *testing.T) {
	const old = "/Filter /DCTDecode /ID " + idB + " >> stream\njpeg\n"
	image := func(form, data string) []byte {
		return edited(t, old, form+" /ID "+idB+" >> stream\n"+data+"\n")
	}
	const gray = "/BitsPerComponent 8 /ColorSpace /DeviceGray"
	before := image(gray, "pixels")
	for _, tt := range []struct {
		name, form, data, outcome string
	}{
		{"the same", gray, "pixels", "same"},
		{"in another filter", gray + " /Filter /ASCIIHexDecode", "706978656C73>", "same"},
		{"other samples", gray, "PIXELS", "different"},
		{"other samples in another filter", gray + " /Filter /ASCIIHexDecode", "506978656C73>", "different"},
		{"another size", gray + " /Width 2", "pixels", "different"},
		{"as a fax", gray + " /Filter /CCITTFaxDecode", "pixels", "different"},
		{"damaged", gray + " /Filter /FlateDecode", "PIXELS", "partial"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, outcome := compare(t, before, image(tt.form, tt.data)), "different"
			switch {
			case res.Same():
				outcome = "same"
			case len(res.Changes) == 0 && !res.Whole():
				outcome = "partial"
			}
			if outcome != tt.outcome {
				t.Errorf("%s, want %s\n%s", outcome, tt.outcome, text(res))
			}
		})
	}
}

// A hostile file with shared objects is not compared, but takes no excessive time.
func TestSharingIsBounded(t *testing.T) {
	const n = 3_000
	repeat := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, objects := range map[string]string{
		"values": "names: << /URLS << /Names [ " + repeat("(http://a.example/%06d) 5 0 R ") + "] >> >>\n" +
			"5 0 obj [ " + strings.Repeat("6 0 R ",
			n) + "]\n6 0 obj << /S /SPS /O [ ] /SI << /AU (http://a.example/) >> >>\n",
		"members": "names: << /URLS << /Names [ " + repeat("(http://a.example/%06d) << /S /SPS /O 5 0 R >> ") +
			"] >> >>\n" +
			"5 0 obj [ " + strings.Repeat("6 0 R ", n) + "]\n6 0 obj << /Type /Page >>\n",
		"annotations": "names: << /URLS << /Names [ (http://a.example/) 6 0 R ] >> >>\n6 0 obj null\n" +
			"7 0 obj [ " + strings.Repeat("8 0 R ",
			n) + "]\n8 0 obj << /PA << /S /URI /URI (http://a.example/) >> >>\n" +
			repeat("1%05d 0 obj << /Type /Page /Annots 7 0 R >>\n"),
	} {
		t.Run(name, func(t *testing.T) {
			if !webcapturetest.All() && name != "values" {
				t.Skip("takes seconds; needs WEBCAP_TEST_ALL")
			}
			d, err := webcapturetest.Parse(objects)
			if err != nil {
				t.Fatal(err)
			}
			data := d.Bytes(webcapturetest.Layout{})
			var files [2]*webcapture.File
			for i := range files {
				if files[i], err = webcapture.New(t.Context(), data, webcapture.Options{}); err != nil {
					t.Fatal(err)
				}
			}
			if res, err := diff.Compare(files[0], files[1]); res != nil || !errors.Is(err, meter.Over{}) {
				t.Errorf("%v, %v", res, err)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	doc := webcapturetest.Sets(3, webcapturetest.Options{})
	good := write("good.pdf", doc.Bytes(webcapturetest.Layout{}))
	secret := write("secret.pdf", doc.Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4,
		User: "u", Owner: "o"}}))
	damaged := write("damaged.pdf", []byte(strings.Replace(string(doc.Bytes(webcapturetest.Layout{})), "\n0000000",
		"\n0000001", 9)))
	text := write("text.pdf", []byte("text"))

	res, err := diff.Files(t.Context(), good, secret, webcapture.Options{Passwords: []string{"u"}})
	if err != nil || !res.Same() || res.A.Path != good || res.B.Path != secret {
		t.Errorf("%v, %v", res, err)
	}
	res, err = diff.Files(t.Context(), good, damaged, webcapture.Options{})
	if err != nil || !res.Same() || res.A.WithoutXRef || !res.B.WithoutXRef || len(res.B.Notices) == 0 {
		t.Errorf("%v, %v", res, err)
	}
	for _, tt := range []struct {
		a, b, path string
		want       error
	}{
		{good, secret, secret, webcapture.ErrPassword},
		{text, good, text, webcapture.ErrNotPDF},
		{good, filepath.Join(dir, "missing.pdf"), filepath.Join(dir, "missing.pdf"), fs.ErrNotExist},
	} {
		t.Run(tt.a, func(t *testing.T) {
			_, err := diff.Files(t.Context(), tt.a, tt.b, webcapture.Options{})
			e, ok := errors.AsType[*diff.FileError](err)
			if !ok || e.Path != tt.path || !errors.Is(err, tt.want) || strings.Count(err.Error(), tt.path) != 1 {
				t.Errorf("Files(%s, %s): %v, want that of %s: %v", tt.a, tt.b, err, tt.path, tt.want)
			}
		})
	}
}

// A file that qpdf or mutool rewrites keeps its meaning.
func TestRewrittenFilesMeanTheSame(t *testing.T) {
	paths := webcapturetest.Corpus("real")
	paths = append(paths, "../../testdata/site.pdf")
	tools := map[string][]string{
		"qpdf generate":   {"qpdf", "--object-streams=generate", "IN", "OUT"},
		"qpdf qdf":        {"qpdf", "--qdf", "IN", "OUT"},
		"qpdf linearized": {"qpdf", "--linearize", "--object-streams=disable", "IN", "OUT"},
		"mutool":          {"mutool", "clean", "-ggg", "-z", "IN", "OUT"},
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			opt := webcapture.Options{}
			if strings.Contains(path, "encrypted") {
				opt = webcapture.Options{Passwords: []string{"1234"}}
			}
			same := func(name, out string) {
				if res, err := diff.Files(t.Context(), path, out, opt); err != nil {
					t.Errorf("%s: %v", name, err)
					// parts of the file of pikepdf cannot be compared: it is damaged
				} else if same := len(res.Changes) == 0; !same || !res.Same() && !strings.Contains(path, "pikepdf") {
					t.Errorf("%s: not the same:\n%s", name, text(res))
				}
			}
			same("itself", path)
			for name, args := range tools {
				args = slices.Clone(args)
				out := filepath.Join(t.TempDir(), "out.pdf")
				args[len(args)-2], args[len(args)-1] = path, out
				if len(opt.Passwords) > 0 {
					if args[0] == "mutool" {
						continue // it drops the encryption dictionary, and says that the file is encrypted
					}
					args = slices.Insert(args, 1, "--password="+opt.Passwords[0])
				}
				if message, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Logf("%s: %v: %.100s", name, err, message)
				}
				if st, err := os.Stat(out); err != nil || st.Size() == 0 {
					continue
				}
				same(name, out)
			}
		})
	}
}

// FuzzCompare: for any bytes, the comparison ends, a file has no changes from itself, and there are as many changes
// in one direction as in the other.
func FuzzCompare(f *testing.F) {
	before := edited(f)
	f.Add(before)
	_, list := readPairs(f)
	for _, tt := range list {
		f.Add(pdf(f, edit(f, edit(f, base, tt.edits["A"]...), tt.edits["B"]...)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := webcapture.New(context.Background(), data, webcapture.Options{})
		if err != nil {
			return
		}
		defer file.Close()
		res, err := diff.Compare(file, file)
		if err == nil && len(res.Changes) > 0 {
			t.Errorf("not the same as itself:\n%s", text(res))
		}
		there, err := diff.Compare(open(t, before, ""), file)
		if err != nil {
			return
		}
		back, err := diff.Compare(file, open(t, before, ""))
		if err != nil {
			t.Fatal(err)
		}
		if len(there.Changes) != len(back.Changes) {
			t.Errorf("%d changes there, %d back:\n%s\n%s", len(there.Changes), len(back.Changes), text(there),
				text(back))
		}
	})
}

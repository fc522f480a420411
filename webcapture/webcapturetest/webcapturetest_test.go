package webcapturetest_test

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// options have content sets of all kinds, with commands, in several leaves.
var options = webcapturetest.Options{Leaf: 3, Images: 2, Shared: 5, Mirrors: 3, Aliases: 4, Commands: 4}

// sample returns a database with strings, a stream, and updates that are difficult for writers.
func sample(updates bool) *webcapturetest.Document {
	d := webcapturetest.Sets(9, options)
	odd := d.Add(`[ (a\(b\)\\ \101\1012\
c(nested (deep)) % no comment) % a comment with ( and <
<4a 4B4> << /K(v)/L<> >> /Name#28 (` + "cr\rcrlf\r\nend" + `) () ]`)
	meta := d.AddStream("<< /Type /Metadata /Subtype /XML /Note (n) >>",
		[]byte("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"))
	root := d.Body(d.Root)
	root = strings.TrimSuffix(root, ">>") + fmt.Sprintf("/Metadata %d 0 R/Odd %d 0 R>>", meta, odd)
	d.Set(d.Root, root)
	if updates {
		gone := d.AddStream("", []byte("freed")) // a stream, since qpdf 11 warns about a freed object in an object stream
		d.Update()
		d.Free(gone)
		d.Set(odd, "[ (changed) <ff00> ]")
		d.Set(d.Root, strings.TrimSuffix(root, ">>")+fmt.Sprintf("/New %d 0 R>>", d.Add("<< /A (new) >>")))
		d.Update()
		d.Set(odd, "[ (changed again) ]")
	}
	return d
}

type layoutCase struct {
	name   string
	layout webcapturetest.Layout
}

func layouts() []layoutCase {
	const T, S, H = webcapturetest.Table, webcapturetest.Stream, webcapturetest.Hybrid
	type L = webcapturetest.Layout
	cases := []layoutCase{
		{"table", L{}},
		{"table CRLF", L{EntryEnd: "\r\n"}},
		{"table CR", L{EntryEnd: " \r"}},
		{"table sub-sections", L{SubSections: 4}},
		{"stream", L{XRef: S}},
		{"stream sub-sections", L{XRef: S, SubSections: 3}},
		{"stream W 0", L{XRef: S, W: [3]int{0, 3, 1}}},
		{"stream W 0 4 0", L{XRef: S, W: [3]int{0, 4, 0}}},
		{"stream W 2 8 3", L{XRef: S, W: [3]int{2, 8, 3}}},
		{"stream PNG up", L{XRef: S, Predictor: webcapturetest.PNGUp}},
		{"stream PNG mixed", L{XRef: S, Predictor: webcapturetest.PNGMixed, ObjectStreams: 5}},
		{"stream TIFF", L{XRef: S, Predictor: webcapturetest.TIFF}},
		{"stream plain", L{XRef: S, XRefFilter: webcapturetest.Plain}},
		{"stream ASCIIHex", L{XRef: S, XRefFilter: webcapturetest.ASCIIHex, ObjectStreams: 5,
			ObjectStreamFilter: webcapturetest.ASCIIHex}},
		{"stream ASCII85", L{XRef: S, XRefFilter: webcapturetest.ASCII85Flate, Predictor: webcapturetest.PNGUp,
			ObjectStreams: 5, ObjectStreamFilter: webcapturetest.ASCII85Flate}},
		{"stream LZW", L{XRef: S, XRefFilter: webcapturetest.LZW, Predictor: webcapturetest.PNGUp, ObjectStreams: 1000,
			ObjectStreamFilter: webcapturetest.LZW}},
		{"object streams", L{XRef: S, ObjectStreams: 7}},
		{"object streams plain", L{XRef: S, ObjectStreams: 1, ObjectStreamFilter: webcapturetest.Plain}},
		{"hybrid", L{XRef: H, ObjectStreams: 6}},
		{"hybrid one section", L{XRef: H, HybridOneSection: true}},
		{"hybrid one section, sub-sections", L{XRef: H, HybridOneSection: true, SubSections: 2}},
		{"hybrid sub-sections", L{XRef: H, SubSections: 2, Predictor: webcapturetest.PNGUp}},
		{"table then stream", L{UpdateXRef: S, MixedXRef: true}},
		{"table then object streams", L{UpdateXRef: S, MixedXRef: true, ObjectStreams: 3}},
		{"table then hybrid", L{UpdateXRef: H, MixedXRef: true}},
		{"stream then table", L{XRef: S, ObjectStreams: 10, UpdateXRef: T, MixedXRef: true}},
		{"indirect length", L{IndirectLength: true}},
		{"indirect length, object streams", L{XRef: S, ObjectStreams: 5, IndirectLength: true}},
		{"indirect length, hybrid", L{XRef: H, IndirectLength: true}},
		{"prefix", L{Prefix: []byte("junk\n\x00junk")}},
		{"prefix, stream", L{Prefix: []byte("junk\n"), XRef: S, ObjectStreams: 5}},
	}
	for r := 2; r <= 6; r++ {
		for _, base := range []layoutCase{
			{"table", L{}},
			{"object streams", L{XRef: S, ObjectStreams: 5}},
			{"hybrid", L{XRef: H, ObjectStreams: 5, IndirectLength: true}},
		} {
			encs := []webcapturetest.Encryption{
				{Revision: r, User: "view", Owner: "master"},
				{Revision: r, User: "view", Owner: "master", Direct: true, Hex: true},
				{Revision: r, Owner: "master"},
				{Revision: r},
			}
			if r >= 4 {
				encs = append(encs,
					webcapturetest.Encryption{Revision: r, User: "view", PlainMetadata: true},
					webcapturetest.Encryption{Revision: r, User: "view", PlainStrings: true},
					webcapturetest.Encryption{Revision: r, User: "view", PlainStreams: true})
			}
			if r == 4 {
				encs = append(encs, webcapturetest.Encryption{Revision: r, User: "view", RC4: true})
			}
			for i, e := range encs {
				l := base.layout
				l.Encryption = &e
				cases = append(cases, layoutCase{fmt.Sprintf("R%d %s %d", r, base.name, i), l})
			}
		}
	}
	return cases
}

func linearizedLayouts() []layoutCase {
	type L = webcapturetest.Layout
	return []layoutCase{
		{"table", L{Linearized: true}},
		{"sub-sections", L{Linearized: true, SubSections: 3}},
		{"stream", L{Linearized: true, XRef: webcapturetest.Stream}},
		{"object streams", L{Linearized: true, XRef: webcapturetest.Stream, ObjectStreams: 5,
			Predictor: webcapturetest.PNGUp}},
		{"encrypted", L{Linearized: true, XRef: webcapturetest.Stream, ObjectStreams: 5,
			Encryption: &webcapturetest.Encryption{Revision: 6, User: "view", Owner: "master"}}},
		{"encrypted table", L{Linearized: true,
			Encryption: &webcapturetest.Encryption{Revision: 3, User: "view", Owner: "master"}}},
	}
}

func TestBytesAreDeterministic(t *testing.T) {
	for _, c := range append(layouts(), linearizedLayouts()...) {
		if !bytes.Equal(sample(true).Bytes(c.layout), sample(true).Bytes(c.layout)) {
			t.Errorf("%s: two runs differ", c.name)
		}
	}
}

// TestTablePointsAtObjects checks a table without any PDF library.
func TestTablePointsAtObjects(t *testing.T) {
	entry := regexp.MustCompile(`^(\d{10}) (\d{5}) n`)
	for _, junk := range []string{"", "junk\n"} {
		t.Run(junk, func(t *testing.T) {
			for _, off := range []bool{false, true} {
				file := sample(false).Bytes(webcapturetest.Layout{Prefix: []byte(junk), OffsetsFromStart: off})
				base := len(junk)
				if off {
					base = 0
				}
				tail := file[bytes.LastIndex(file, []byte("startxref\n"))+10:]
				start, err := strconv.Atoi(string(tail[:bytes.IndexByte(tail, '\n')]))
				if err != nil {
					t.Fatal(err)
				}
				table := file[base+start:]
				if !bytes.HasPrefix(table, []byte("xref\n0 ")) {
					t.Fatalf("startxref leads to %.20q", table)
				}
				lines := bytes.SplitAfter(table, []byte("\n"))[2:]
				n := 0
				for num, line := range lines {
					if bytes.HasPrefix(line, []byte("trailer")) {
						break
					}
					if len(line) != 20 {
						t.Errorf("entry %q has %d bytes", line, len(line))
					}
					m := entry.FindSubmatch(line)
					if m == nil {
						continue
					}
					at, _ := strconv.Atoi(string(m[1]))
					if want := fmt.Sprintf("%d 0 obj\n", num); !bytes.HasPrefix(file[base+at:], []byte(want)) {
						t.Errorf("object %d: its entry leads to %.20q", num, file[base+at:])
					}
					n++
				}
				if n < 50 {
					t.Errorf("only %d objects in the table", n)
				}
			}
		})
	}
}

// TestPinned compares files with versions that qpdf has accepted, for machines without qpdf. These files are not
// compressed, so that they do not change with compress/zlib.
func TestPinned(t *testing.T) {
	for revision, want := range []string{
		"ea8e857eb7caa37451d521edbe49957b",
		"b011d18cc409e1314532031ab04fe9e8",
		"6ab98dd6fb4a42334b04e2882c8b7f16",
		"694b3fd2430f4040f4e38157fdae61fc",
		"8c2658414477ab8e35d8dc78c0691580",
		"bdbc9dfc762a16c054c42313df2fab3c",
	} {
		t.Run(want, func(t *testing.T) {
			var l webcapturetest.Layout
			if revision > 0 {
				l.Encryption = &webcapturetest.Encryption{Revision: revision + 1, User: "view", Owner: "master"}
			}
			if got := fmt.Sprintf("%x", md5.Sum(sample(true).Bytes(l))); got != want {
				t.Errorf("layout %d: MD5 = %s, want %s", revision, got, want)
			}
		})
	}
}

// TestPinnedSections is TestPinned for the forms of cross-reference data.
func TestPinnedSections(t *testing.T) {
	const S, H, plain = webcapturetest.Stream, webcapturetest.Hybrid, webcapturetest.Plain
	for _, c := range []struct {
		name   string
		layout webcapturetest.Layout
		want   string
	}{
		{"subsections", webcapturetest.Layout{SubSections: 4, IndirectLength: true},
			"d97a979d7685efa451d8b6562b3bf308"},
		{"stream", webcapturetest.Layout{XRef: S, XRefFilter: plain, ObjectStreams: 7, ObjectStreamFilter: plain},
			"1e99b6f117cfdcc44b445bf116ee8ec1"},
		{"stream without types", webcapturetest.Layout{XRef: S, XRefFilter: plain, W: [3]int{0, 4, 0}},
			"081a9da6ac366d6860545e56a2ffa71b"},
		{"hybrid", webcapturetest.Layout{XRef: H, XRefFilter: plain, ObjectStreamFilter: plain},
			"7ef17004c3c27b1bd72a5a4363849ee5"},
		{"hybrid, one section", webcapturetest.Layout{XRef: H, HybridOneSection: true, XRefFilter: plain,
			ObjectStreamFilter: plain}, "8ffe0c4926b537a24a991d49262e7141"},
		{"linearized", webcapturetest.Layout{Linearized: true, Prefix: []byte("junk\n"), StartXRefOff: 3},
			"08733b080ff9dd14e8bf6d0a134ff864"},
		{"linearized stream", webcapturetest.Layout{Linearized: true, XRef: S, XRefFilter: plain, ObjectStreams: 7,
			ObjectStreamFilter: plain}, "fa1012d3b84673385f029de95612e863"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprintf("%x", md5.Sum(sample(true).Bytes(c.layout))); got != c.want {
				t.Errorf("%s: MD5 = %s, want %s", c.name, got, c.want)
			}
		})
	}
}

func TestGenerationsStay(t *testing.T) {
	d, err := webcapturetest.Parse("5 3 obj (old)\n")
	if err != nil {
		t.Fatal(err)
	}
	d.Update()
	d.Set(5, "(new)")
	file := d.Bytes(webcapturetest.Layout{})
	for _, want := range []string{"5 3 obj\n(old)", "5 3 obj\n(new)", "5 1\n0000000"} {
		t.Run(want, func(t *testing.T) {
			if !bytes.Contains(file, []byte(want)) {
				t.Errorf("no %q in\n%s", want, file)
			}
		})
	}
}

func TestMalformedLayouts(t *testing.T) {
	d := sample(false)
	if b := d.Bytes(webcapturetest.Layout{EntryEnd: "\n"}); !bytes.Contains(b, []byte("\n0000000000 65535 f\n")) {
		t.Error("entries of 19 bytes are missing")
	}
	right, wrong := d.Bytes(webcapturetest.Layout{}), d.Bytes(webcapturetest.Layout{StartXRefOff: -7})
	if bytes.Equal(right, wrong) || len(right) != len(wrong) {
		t.Error("startxref was not shifted")
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, l := range map[string]webcapturetest.Layout{
		"object streams in a table":   {ObjectStreams: 3},
		"packed objects without type": {XRef: webcapturetest.Stream, ObjectStreams: 3, W: [3]int{0, 4, 2}},
		"narrow offsets":              {XRef: webcapturetest.Stream, W: [3]int{1, 1, 1}},
		"predictor without a filter": {XRef: webcapturetest.Stream, XRefFilter: webcapturetest.Plain,
			Predictor: webcapturetest.PNGUp},
		"linearized hybrid":                 {XRef: webcapturetest.Hybrid, Linearized: true},
		"revision 1":                        {Encryption: &webcapturetest.Encryption{Revision: 1}},
		"RC4 in revision 6":                 {Encryption: &webcapturetest.Encryption{Revision: 6, RC4: true}},
		"crypt filters in revision 3":       {Encryption: &webcapturetest.Encryption{Revision: 3, PlainStrings: true}},
		"entry end that is not white space": {EntryEnd: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := sample(false).Encode(io.Discard, l); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
	if err := new(webcapturetest.Document).Encode(io.Discard, webcapturetest.Layout{}); err == nil {
		t.Error("document without Root: no error")
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteErrorsSurface(t *testing.T) {
	disk := errors.New("disk full")
	if err := sample(false).Encode(failingWriter{disk}, webcapturetest.Layout{}); !errors.Is(err, disk) {
		t.Errorf("Encode: %v", err)
	}
	if err := webcapturetest.WriteSets(failingWriter{disk}, 10, options, webcapturetest.Layout{}); !errors.Is(err,
		disk) {
		t.Errorf("WriteSets: %v", err)
	}
}

func TestParse(t *testing.T) {
	d, err := webcapturetest.Parse(`
names: << /URLS << /Names [ (http://a/) 5 0 R ] >> >>
spiderinfo: << /V 1.25 >>
trailer: << /Info 8 0 R /Private (x) >>
5 0 obj << /S /SPS /O [ 6 0 R ]
  /T (two lines) >>
6 2 obj << /Type /Page /Resources << >> >> endobj
8 0 obj
<< /Title (t) >>
endobj
9 0 obj << /Private true >>
stream
two
lines
endstream
endobj
`)
	if err != nil {
		t.Fatal(err)
	}
	if d.Info != 8 || d.Root <= 9 {
		t.Errorf("Root, Info = %d, %d", d.Root, d.Info)
	}
	if got, want := d.Body(5), "<< /S /SPS /O [ 6 0 R ]\n  /T (two lines) >>"; got != want {
		t.Errorf("object 5 = %q, want %q", got, want)
	}
	file := string(d.Bytes(webcapturetest.Layout{}))
	for _, want := range []string{
		"6 2 obj\n<< /Type /Page", "/Kids [ 6 2 R ]", "/Names << /URLS", "/SpiderInfo << /V 1.25 >>",
		"9 0 obj\n<</Private true/Length 9>>\nstream\ntwo\nlines\nendstream", "/Private (x)>>", "/Info 8 0 R",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(file, want) {
				t.Errorf("no %q in\n%s", want, file)
			}
		})
	}
}

func TestParseKeepsTheCatalog(t *testing.T) {
	d, err := webcapturetest.Parse("catalog: << /Type /Catalog /Broken [ >>\n1 0 obj null\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.Body(d.Root), "<< /Type /Catalog /Broken [ >>"; got != want {
		t.Errorf("catalog = %q, want %q", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"text before":     "hello\n5 0 obj null\n",
		"only text":       "hello",
		"number 0":        "0 0 obj null\n",
		"huge number":     "99999999999999999999 0 obj null\n",
		"huge generation": "1 70000 obj null\n",
		"second object":   "5 0 obj null\n5 0 obj true\n",
		"second names":    "names: <<>>\nnames: <<>>\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := webcapturetest.Parse(text); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

func TestSetsHaveEveryFeature(t *testing.T) {
	file := string(webcapturetest.Sets(20, options).Bytes(webcapturetest.Layout{}))
	for _, want := range []string{"/S/SPS", "/S/SIS", "/R 1/", "/SI[<<", "/AU <</U ", "/C[[(http:", "/L 2/F 1", "/F 4",
		"/P(q=", "/Limits[", "/Kids["} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(file, want) {
				t.Errorf("no %q", want)
			}
		})
	}
	o := options
	o.Leaf, o.IndirectKeys, o.LiteralIDs = 0, true, true
	file = string(webcapturetest.Sets(20, o).Bytes(webcapturetest.Layout{}))
	if strings.Contains(file, "/Limits") || !regexp.MustCompile(`/Names\[\d+ 0 R \d+ 0 R `).MatchString(file) {
		t.Error("indirect keys in a flat root are missing")
	}
}

// normal returns the file rewritten by qpdf: decrypted, uncompressed, numbered in the order of reference.
func normal(t *testing.T, file []byte, password string) string {
	t.Helper()
	in := filepath.Join(t.TempDir(), "in.pdf")
	if err := os.WriteFile(in, file, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("qpdf", "--password="+password, "--decrypt", "--qdf", "--object-streams=disable",
		"--static-id", "--no-original-object-ids", "--force-version=1.4", in, "-")
	var out, warnings bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &warnings
	if err := cmd.Run(); err != nil || warnings.Len() > 0 {
		t.Fatalf("qpdf: %v\n%s", err, warnings.Bytes())
	}
	return out.String()
}

func requireQPDF(t *testing.T) {
	webcapturetest.Program(t, "qpdf")
	if testing.Short() {
		t.Skip("-short: runs qpdf many times")
	}
}

// TestQPDFReadsEveryLayoutAlike checks that a layout changes the file, not the document.
func TestQPDFReadsEveryLayoutAlike(t *testing.T) {
	requireQPDF(t)
	for _, updates := range []bool{false, true} {
		want := normal(t, sample(updates).Bytes(webcapturetest.Layout{}), "")
		for _, c := range webcapturetest.Sample(7, append(layouts(), linearizedLayouts()...)) {
			t.Run(fmt.Sprintf("%s updates=%t", c.name, updates), func(t *testing.T) {
				t.Parallel()
				file := sample(updates).Bytes(c.layout)
				passwords := []string{""}
				if e := c.layout.Encryption; e != nil {
					passwords = []string{e.User, e.Owner}
					if e.Owner == "" {
						passwords = passwords[:1]
					}
				}
				for _, p := range passwords {
					got := normal(t, file, p)
					if got != want {
						t.Errorf("password %q: another document: %s", p, firstDifference(got, want))
					}
				}
				if c.layout.Linearized || !updates {
					return // without hints the check complains; with updates it sees all there is
				}
				check(t, file, passwords[0])
			})
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: %q, want %q", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

func check(t *testing.T, file []byte, password string) {
	t.Helper()
	in := filepath.Join(t.TempDir(), "in.pdf")
	if err := os.WriteFile(in, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("qpdf", "--password="+password, "--check", in).CombinedOutput()
	if err != nil {
		t.Errorf("qpdf --check: %v\n%s", err, out)
	}
}

func TestQPDFReadsSets(t *testing.T) {
	requireQPDF(t)
	for _, n := range webcapturetest.Sample(3, []int{51, 0, 2600, 4, 1, 2, 3}) {
		for _, o := range []webcapturetest.Options{{}, options, {Leaf: 1},
			{Leaf: 64, Pages: 10, IndirectKeys: true, Mirrors: 1, Aliases: 1, Shared: 2, Images: 1}} {
			if n > 51 && o.Leaf < 3 {
				continue
			}
			want := normal(t, webcapturetest.Sets(n, o).Bytes(webcapturetest.Layout{}), "")
			check(t, webcapturetest.Sets(n, o).Bytes(webcapturetest.Layout{}), "")
			for _, l := range []webcapturetest.Layout{
				{},
				{XRef: webcapturetest.Stream, ObjectStreams: 100},
				{XRef: webcapturetest.Stream, ObjectStreams: 10, Encryption: &webcapturetest.Encryption{Revision: 4}},
			} {
				var b bytes.Buffer
				if err := webcapturetest.WriteSets(&b, n, o, l); err != nil {
					t.Fatal(err)
				}
				if got := normal(t, b.Bytes(), ""); got != want {
					t.Errorf("n = %d, %+v: WriteSets and Sets differ: %s", n, o, firstDifference(got, want))
				}
			}
		}
	}
}

func Example() {
	d := webcapturetest.Sets(3, webcapturetest.Options{Leaf: 2})
	file := d.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100})
	fmt.Printf("%s\n", file[:8])
	fmt.Println(d.Body(d.Root))
	// Output:
	// %PDF-1.5
	// <</Type/Catalog/Pages 3 0 R/Names 4 0 R/SpiderInfo<</V 1.25>>>>
}

func ExampleDocument_Update() {
	d, err := webcapturetest.Parse("names: << /IDS << /Names [ ] >> >>\n5 0 obj (old)\n")
	if err != nil {
		panic(err)
	}
	d.Update() // what follows is an incremental update
	d.Set(5, "(new)")
	file := string(d.Bytes(webcapturetest.Layout{}))
	fmt.Println(strings.Count(file, "5 0 obj"), strings.Count(file, "%%EOF"), strings.Count(file, "/Prev"))
	// Output: 2 2 1
}

func ExampleParse() {
	d, err := webcapturetest.Parse(`
names: << /URLS << /Names [ (http://a/) 5 0 R ] >> >>
5 0 obj << /S /SPS >>
`)
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Body(d.Root))
	// Output: << /Type /Catalog /Pages 7 0 R /Names << /URLS << /Names [ (http://a/) 5 0 R ] >> >> >>
}

func BenchmarkWriteSets(b *testing.B) {
	for _, n := range []int{1e3, 1e5} {
		for name, l := range map[string]webcapturetest.Layout{
			"table":          {},
			"object streams": {XRef: webcapturetest.Stream, ObjectStreams: 100},
		} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := webcapturetest.WriteSets(io.Discard, n, webcapturetest.Options{Leaf: 64, Pages: 2000},
						l); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package pdffile

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A way is one of the two ways to write an update.
type way struct {
	name  string
	write func(u *Update, w io.Writer) error
}

var ways = []way{{"increment", (*Update).WriteIncrement}, {"full", (*Update).WriteFull}}

// written returns what w writes of u.
func (w way) written(t *testing.T, u *Update) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := w.write(u, &b); err != nil {
		t.Fatalf("%s: %v", w.name, err)
	}
	return b.Bytes()
}

// everything returns the objects of f as text, with a digest of the data of streams, and the error of unreadable
// objects. Streams with cross-reference data are omitted.
func everything(f *File) map[object.Ref]string {
	all := map[object.Ref]string{}
	r := f.NewReader()
	for _, ref := range f.Refs() {
		o, err := r.Get(ref)
		if err != nil {
			all[ref] = "unreadable"
			continue
		}
		if o.IsNull() {
			continue
		}
		s := text(o)
		if o.Kind() == object.Stream {
			if d, _ := o.Dict(); d.Lookup("Type").IsName("XRef") {
				continue
			}
			data, err := DataOf(r.Stream(ref))
			s += fmt.Sprintf(" %x %v", md5.Sum(data), err)
		}
		all[ref] = s
	}
	return all
}

// compare reports objects of want that are missing or different in got.
func compare(t *testing.T, how string, got, want map[object.Ref]string) {
	t.Helper()
	bad := 0
	for _, ref := range slices.SortedFunc(maps.Keys(want), object.Ref.Compare) {
		if got[ref] != want[ref] {
			if bad++; bad <= 3 {
				t.Errorf("%s: %v is %q, want %q", how, ref, got[ref], want[ref])
			}
		}
	}
}

// opened opens data that must be readable without repairs and notices.
func opened(t *testing.T, how string, data []byte, password string) *File {
	t.Helper()
	f, err := New(context.Background(), data, []string{password})
	if err != nil {
		t.Fatalf("%s: %v", how, err)
	}
	if f.Repaired() || len(f.Notices()) > 0 {
		t.Errorf("%s: not read as it stands: %q", how, f.Notices())
	}
	return f
}

// newText has strings in both notations, with escapes, and a name with an escape.
const newText = `<< /Changed (a \(b\) \\ c) /Hex <00ff28> /Empty () /List [ (x) 5 0 R << /Deep (y) >> ] /Name#28 /N /Gone null >>`

// change replaces object 7, and adds a new object. It puts each of them twice, and the second text counts. It returns
// the resulting objects.
func change(t *testing.T, u *Update) map[object.Ref]string {
	t.Helper()
	put := map[object.Ref]string{u.New(): "", {Num: 7}: ""}
	for ref := range put {
		u.Put(ref, []byte("(forgotten)"))
		body := []byte(newText)
		u.Put(ref, body)
		clear(body) // the Update has its own
		o, _, err := object.Parse([]byte(newText), 0)
		if err != nil {
			t.Fatal(err)
		}
		put[ref] = text(o)
	}
	if u.Len() != len(put) {
		t.Errorf("Len() = %d, want %d", u.Len(), len(put))
	}
	return put
}

func TestUpdatesKeepEverythingElse(t *testing.T) {
	for _, updated := range []bool{false, true} {
		doc := sample(updated)
		doc.AddStream("<< /Note (of a stream) >>", []byte("data\nof a stream"))
		doc.Trailer = "/Private (as \\101 spelled) /Odd#20Key [ 1 <4 5> ]"
		for _, l := range layouts {
			l.layout.Linearized = l.layout.Linearized && !updated
			data := doc.Bytes(l.layout)
			for _, w := range ways {
				t.Run(fmt.Sprintf("%s, updated %v, %s", l.name, updated, w.name), func(t *testing.T) {
					f, err := New(context.Background(), data, []string{l.password})
					if err != nil {
						t.Fatal(err)
					}
					if w.name == "increment" && f.Appendable() != nil {
						refused(t, f)
						return
					}
					twice(t, w, f, l.password)
				})
			}
		}
	}
}

// refused checks that WriteIncrement writes nothing if the file is not appendable.
func refused(t *testing.T, f *File) {
	t.Helper()
	if f.newest >= 0 && !bytes.HasPrefix(f.data, []byte("HTTP")) {
		t.Errorf("refused: %v", f.Appendable())
	}
	var b bytes.Buffer
	u := f.NewUpdate()
	u.Put(u.New(), []byte("1"))
	if err := u.WriteIncrement(&b); err == nil || err.Error() != f.Appendable().Error() || b.Len() > 0 {
		t.Errorf("WriteIncrement wrote %d bytes and returned %v", b.Len(), err)
	}
}

// twice writes f with changes, and the result with changes once more.
func twice(t *testing.T, w way, f *File, password string) {
	t.Helper()
	want := everything(f)
	for _, how := range []string{"once", "twice"} {
		u := f.NewUpdate()
		put := change(t, u)
		for ref := range put {
			if ref.Num != 7 && want[ref] != "" {
				t.Errorf("%s: New gave %v, which is %s", how, ref, want[ref])
			}
		}
		maps.Copy(want, put)
		out := w.written(t, u)
		g := opened(t, how, out, password)
		compare(t, how, everything(g), want)
		trailers(t, how, f, g)
		if w.name == "increment" {
			if !bytes.HasPrefix(out, f.data) {
				t.Errorf("%s: the file is not the start of what was written", how)
			}
			if prev, _ := g.Trailer().Lookup("Prev").Int(); prev != f.newest {
				t.Errorf("%s: Prev is %d, want %d", how, prev, f.newest)
			}
			if g.endsInStream() != f.endsInStream() {
				t.Errorf("%s: the section is of another kind", how)
			}
		} else {
			if !g.Trailer().Lookup("Prev").IsNull() || !bytes.HasPrefix(out, []byte("%PDF-")) ||
				bytes.Count(out, []byte("startxref")) != 1 {
				t.Errorf("%s: not a file without history", how)
			}
		}
		f = g
	}
}

// trailers checks which entries of the trailer an update keeps and replaces.
func trailers(t *testing.T, how string, f, g *File) {
	t.Helper()
	for key, v := range f.Trailer().All() {
		switch k := string(key); k {
		case "Size", "Prev", "XRefStm", "ID", "Type", "W", "Index", "Filter", "DecodeParms", "Length":
		default:
			if got := g.Trailer().Lookup(k); !bytes.Equal(got.Raw(), v.Raw()) {
				t.Errorf("%s: trailer: %s is %v, want %v", how, k, got, v)
			}
		}
	}
	if !g.Trailer().Lookup("XRefStm").IsNull() {
		t.Errorf("%s: trailer: XRefStm is repeated", how)
	}
	size, _ := g.Trailer().Lookup("Size").Int()
	if size < int64(len(g.entries)) {
		t.Errorf("%s: Size is %d, and there are entries for objects below %d", how, size, len(g.entries))
	}
	before, _ := f.Trailer().Lookup("ID").Array()
	after, _ := g.Trailer().Lookup("ID").Array()
	a, b := slices.Collect(before.All()), slices.Collect(after.All())
	switch {
	case len(a) != len(b):
		t.Errorf("%s: ID has %d halves, want %d", how, len(b), len(a))
	case len(a) == 2:
		if !bytes.Equal(a[0].Raw(), b[0].Raw()) {
			t.Errorf("%s: first half of ID is %v, want %v", how, b[0], a[0])
		}
		if second, _ := b[1].AppendString(nil); len(second) != 16 || text(b[1]) == text(a[1]) {
			t.Errorf("%s: second half of ID is %v, after %v", how, b[1], a[1])
		}
	}
}

// TestEveryObjectCanBePut: an object of Get survives Put, with any encryption.
func TestEveryObjectCanBePut(t *testing.T) {
	doc := sample(true)
	doc.Add(newText)
	for _, l := range layouts {
		l.layout.Linearized = false
		f, err := New(context.Background(), doc.Bytes(l.layout), []string{l.password})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways {
			if w.name == "increment" && f.Appendable() != nil {
				continue
			}
			u, r := f.NewUpdate(), f.NewReader()
			for _, ref := range f.Refs() {
				if o, err := r.Get(ref); err != nil {
					t.Errorf("%s: %v", l.name, err)
				} else if o.Kind() != object.Stream {
					u.Put(ref, o.Append(nil))
				}
			}
			g := opened(t, l.name, w.written(t, u), l.password)
			compare(t, l.name+", "+w.name, everything(g), everything(f))
		}
	}
}

func TestStringsAreEncryptedInTheFile(t *testing.T) {
	for _, l := range layouts {
		if l.layout.Encryption == nil {
			continue
		}
		f, err := New(context.Background(), sample(false).Bytes(l.layout), []string{l.password})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways {
			u := f.NewUpdate()
			u.Put(u.New(), []byte("(a secret)"))
			out := w.written(t, u)
			plain := bytes.Contains(out, []byte("a secret")) || bytes.Contains(out, []byte("6120736563726574"))
			if plain != l.layout.Encryption.PlainStrings {
				t.Errorf("%s, %s: the string can be read in the file: %v", l.name, w.name, plain)
			}
		}
	}
}

func TestUpdatesAreDeterministic(t *testing.T) {
	for _, l := range layouts {
		f, err := New(context.Background(),
			sample(true).Bytes(webcapturetest.Layout{XRef: l.layout.XRef, ObjectStreams: l.layout.ObjectStreams,
				Encryption: l.layout.Encryption}), []string{l.password})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways {
			var outs [2][]byte
			for i := range outs {
				u := f.NewUpdate()
				u.random = func() io.Reader { return strings.NewReader(strings.Repeat("not random at all", 100)) }
				change(t, u)
				outs[i] = w.written(t, u)
			}
			if !bytes.Equal(outs[0], outs[1]) {
				t.Errorf("%s, %s: the same update gives two files", l.name, w.name)
			}
		}
	}
}

// TestInitializationVectorsDiffer: without random vectors, equal strings would be equal after encryption.
func TestInitializationVectorsDiffer(t *testing.T) {
	f := opened(t, "AESV3", sample(false).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6}}), "")
	u := f.NewUpdate()
	a, err := f.crypt.encrypt(object.Ref{Num: 5}, []byte("[ (same) (same) ]"), u.random())
	if err != nil {
		t.Fatal(err)
	}
	o, _, _ := object.Parse(a, 0)
	list, _ := o.Array()
	halves := slices.Collect(list.All())
	if len(halves) != 2 || text(halves[0]) == text(halves[1]) {
		t.Errorf("two equal strings are encrypted as %s", a)
	}
	u.random = func() io.Reader { return strings.NewReader("too short") }
	u.Put(u.New(), []byte("(x)"))
	if err := u.WriteFull(io.Discard); err == nil {
		t.Error("written without initialization vectors")
	}
}

func TestEmptyIncrementIsTheFile(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	if out := ways[0].written(t, opened(t, "table", data, "").NewUpdate()); !bytes.Equal(out, data) {
		t.Errorf("%d bytes were added", len(out)-len(data))
	}
}

func TestIncrementStartsOnALine(t *testing.T) {
	data := bytes.TrimRight(sample(false).Bytes(webcapturetest.Layout{}), "\n")
	for end, added := range map[string]string{"": "\n", "\n": "", "\r": "", " ": "\n"} {
		t.Run(end, func(t *testing.T) {
			data := append(bytes.Clone(data), end...)
			u := opened(t, "table", data, "").NewUpdate()
			ref := u.New()
			u.Put(ref, []byte("1"))
			want := fmt.Appendf(bytes.Clone(data), "%s%d 0 obj\n1\nendobj\nxref\n%d 1\n", added, ref.Num, ref.Num)
			if out := ways[0].written(t, u); !bytes.HasPrefix(out, want) {
				t.Errorf("after %q: appended %q", end, out[len(data):])
			}
		})
	}
}

// TestNewNumbersAreAboveSize: also if Size counts objects that have no entries.
func TestNewNumbersAreAboveSize(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	entries := len(opened(t, "table", data, "").entries)
	for size, want := range map[int]int{
		0: entries, 5: entries, entries + 7: entries + 7, math.MaxInt: entries, object.MaxNumber + 2: entries,
		object.MaxNumber + 1: object.MaxNumber + 1,
	} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			f := opened(t, "table", regexp.MustCompile(`/Size \d+`).ReplaceAll(data, fmt.Appendf(nil, "/Size %d", size)),
				"")
			if ref := f.NewUpdate().New(); int(ref.Num) != want {
				t.Errorf("Size %d, %d entries: New() = %v, want %d", size, entries, ref, want)
			}
		})
	}
}

// TestIdentifiersThatAreNone: an ID that is not two strings is kept as it is.
func TestIdentifiersThatAreNone(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	id := regexp.MustCompile(`/ID\s*\[[^\]]*\]`)
	for _, spelled := range []string{"", "/ID [(one)]", "/ID 5", "/ID [1 2]", "/ID[(a)(b)(c)]", "/ID [(a) null]"} {
		t.Run(spelled, func(t *testing.T) {
			broken := id.ReplaceAllLiteral(data, []byte(spelled))
			f := opened(t, spelled, broken, "")
			for _, w := range ways {
				u := f.NewUpdate()
				u.Put(u.New(), []byte("1"))
				g := opened(t, spelled, w.written(t, u), "")
				if got, want := g.Trailer().Lookup("ID"), f.Trailer().Lookup("ID"); !bytes.Equal(got.Raw(), want.Raw()) {
					t.Errorf("%s: %s became %v", w.name, spelled, got)
				}
			}
		})
	}
}

func TestImpossibleNumbersAreRefused(t *testing.T) {
	f := opened(t, "table", sample(false).Bytes(webcapturetest.Layout{}), "")
	for _, num := range []uint32{0, object.MaxNumber + 1, 1<<32 - 1} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			for _, w := range ways {
				u := f.NewUpdate()
				u.Put(object.Ref{Num: num}, []byte("1"))
				if err := w.write(u, io.Discard); err == nil {
					t.Errorf("%s: an object %d was written", w.name, num)
				}
			}
		})
	}
	f = opened(t, "stream", sample(false).Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream}), "")
	u := f.NewUpdate()
	u.Put(object.Ref{Num: object.MaxNumber}, []byte("1"))
	if err := u.WriteFull(io.Discard); err == nil {
		t.Error("no number was left for the cross-reference stream")
	}
}

// TestNoMissingObjectAppears: references to missing objects stay null after any addition, including the
// cross-reference stream.
func TestNoMissingObjectAppears(t *testing.T) {
	for _, l := range []webcapturetest.Layout{{}, {XRef: webcapturetest.Stream, ObjectStreams: 3}} {
		t.Run(l.Version, func(t *testing.T) {
			d := sample(false)
			size := d.Add("null") + 70 // the layout has objects of its own
			for range 75 {
				size--
				d.Set(d.Root, strings.Replace(d.Body(d.Root), "<<", fmt.Sprintf("<</Missing%d %d 0 R ", size, size), 1))
			}
			for _, w := range ways {
				f := opened(t, "dangling", d.Bytes(l), "")
				missing := map[object.Ref]bool{}
				for _, ref := range f.Refs() {
					o, _ := f.NewReader().Get(ref)
					for to := range o.Refs() {
						if found, _ := f.NewReader().Get(to); found.IsNull() {
							missing[to] = true
						}
					}
				}
				if len(missing) < 2 {
					t.Fatalf("%d references lead to nothing", len(missing))
				}
				u := f.NewUpdate()
				for range 3 {
					u.Put(u.New(), []byte("(new)"))
				}
				after := opened(t, w.name, w.written(t, u), "")
				for ref := range missing {
					if o, _ := after.NewReader().Get(ref); !o.IsNull() {
						t.Errorf("%s: %v has come to be %v", w.name, ref, o)
					}
				}
			}
		})
	}
}

// TestMalformedTextIsNotEncrypted: malformed text is an error, because its strings cannot be found and encrypted.
func TestMalformedTextIsNotEncrypted(t *testing.T) {
	f := opened(t, "AESV2", sample(false).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4}}), "")
	for _, w := range ways {
		u := f.NewUpdate()
		u.Put(object.Ref{Num: 7}, []byte("[ (secret)"))
		if err := w.write(u, io.Discard); !object.IsMalformed(err) || !strings.Contains(err.Error(), "object 7 0") {
			t.Errorf("%s: %v", w.name, err)
		}
	}
}

func TestTableHasNoRoomForFarOffsets(t *testing.T) {
	for at, ok := range map[int64]bool{9_999_999_999: true, 10_000_000_000: false} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			for _, stream := range []bool{false, true} {
				s := section{size: 3, stream: stream}
				s.add(1, entry{at: at, kind: inFile})
				o := (&File{}).NewUpdate().output(io.Discard)
				o.sum = md5.New()
				if err := s.write(o, object.Dict{}); (err == nil) != (ok || stream) {
					t.Errorf("offset %d, stream %v: %v", at, stream, err)
				}
			}
		})
	}
}

// limitedWriter fails after n bytes.
type limitedWriter struct{ n int }

var errFull = errors.New("disk full")

func (w *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > w.n {
		n := w.n
		w.n = 0
		return n, errFull
	}
	w.n -= len(b)
	return len(b), nil
}

func TestWriteErrorsAreReturned(t *testing.T) {
	d := sample(false)
	d.AddStream("", make([]byte, 3*outputPiece))
	for _, l := range []webcapturetest.Layout{{}, {XRef: webcapturetest.Stream, ObjectStreams: 7}} {
		t.Run(l.Version, func(t *testing.T) {
			f := opened(t, "sample", d.Bytes(l), "")
			f.meter.Limit(1<<60, 1<<60) // it is written often
			for _, w := range ways {
				u := f.NewUpdate()
				change(t, u)
				size := len(w.written(t, u))
				for n := 0; n < size; n += 1 + size/50 {
					if err := w.write(u, &limitedWriter{n}); err != errFull {
						t.Fatalf("%s, after %d bytes: %v", w.name, n, err)
					}
				}
				if err := w.write(u, &limitedWriter{size - 1}); err != errFull {
					t.Errorf("%s, the last byte: %v", w.name, err)
				}
				if err := w.write(u, &limitedWriter{size}); err != nil {
					t.Errorf("%s: %v", w.name, err)
				}
			}
		})
	}
}

func TestWritingAShrinkingFileIsAnError(t *testing.T) {
	skipIfMappedFilesKeepTheirSize(t)
	path := filepath.Join(t.TempDir(), "big.pdf")
	d := sample(false)
	d.AddStream("", make([]byte, 4<<20))
	for _, w := range ways {
		if err := os.WriteFile(path, d.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		u := f.NewUpdate()
		u.Put(u.New(), []byte("1"))
		if err := os.Truncate(path, 8192); err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(filepath.Join(t.TempDir(), "out.pdf"))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.write(u, out); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("%s: %v", w.name, err)
		}
		out.Close()
		f.Close()
	}
}

// qpdfWarnings are the messages of qpdf --check, without places.
func qpdfWarnings(t *testing.T, data []byte, password string) map[string]bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "checked.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("qpdf", "--check", "--password="+password, path).CombinedOutput()
	all := map[string]bool{}
	if err == nil {
		return all
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "WARNING") || strings.HasPrefix(line, "ERROR") || strings.HasPrefix(line, "qpdf:") {
			all[places.ReplaceAllString(strings.ReplaceAll(line, path, "file"), "")] = true
		}
	}
	return all
}

var places = regexp.MustCompile(`[0-9]+|\([^)]*\)`)

// unknownToQpdf checks that qpdf reports nothing about after that it did not report about before. Without qpdf it does
// nothing; TestQpdfFindsNothingNew is the test that skips then.
func unknownToQpdf(t *testing.T, before, after []byte, password string) {
	t.Helper()
	if _, err := exec.LookPath("qpdf"); err != nil {
		return
	}
	known := qpdfWarnings(t, before, password)
	for line := range qpdfWarnings(t, after, password) {
		if !known[line] {
			t.Errorf("qpdf: %s", line)
		}
	}
}

// TestQpdfFindsNothingNew checks written files with qpdf.
func TestQpdfFindsNothingNew(t *testing.T) {
	webcapturetest.Program(t, "qpdf")
	doc := sample(false)
	for _, l := range webcapturetest.Sample(6, layouts) {
		data := doc.Bytes(l.layout)
		f, err := New(context.Background(), data, []string{l.password})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways {
			if w.name == "increment" && f.Appendable() != nil {
				continue
			}
			t.Run(l.name+", "+w.name, func(t *testing.T) {
				u := f.NewUpdate()
				change(t, u)
				once := w.written(t, u)
				unknownToQpdf(t, data, once, l.password)
				u = opened(t, "once", once, l.password).NewUpdate()
				change(t, u)
				unknownToQpdf(t, data, w.written(t, u), l.password)
			})
		}
	}
}

// TestRealFilesAreWrittenBothWays needs the corpus next to the project.
func TestRealFilesAreWrittenBothWays(t *testing.T) {
	paths := webcapturetest.NeedCorpus(t, "real", "negative")
	for _, path := range webcapturetest.Sample(4, paths) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways {
			t.Run(filepath.Base(path)+", "+w.name, func(t *testing.T) {
				f, password := openAny(t, data)
				if w.name == "increment" && f.Appendable() != nil {
					t.Skip(f.Appendable())
				}
				u := f.NewUpdate()
				ref := u.New()
				u.Put(ref, []byte(newText))
				want := everything(f)
				if w.name == "full" && slices.Contains(slices.Collect(maps.Values(want)), "unreadable") {
					if err := u.WriteFull(io.Discard); err == nil {
						t.Error("a file with unreadable objects is written")
					}
					return
				}
				out := w.written(t, u)
				g := opened(t, w.name, out, password)
				got := everything(g)
				compare(t, w.name, got, want)
				if got[ref] == "" {
					t.Error("the new object is not there")
				}
				if w.name == "increment" || !f.Repaired() {
					unknownToQpdf(t, data, out, password)
				}
			})
		}
	}
}

// openAny opens data with one of the passwords of the corpus.
func openAny(t *testing.T, data []byte) (*File, string) {
	t.Helper()
	for _, password := range []string{"", "1234", "view"} {
		f, err := New(context.Background(), data, []string{password})
		if err == nil {
			return f, password
		}
		if !errors.Is(err, ErrPassword) {
			t.Skip(err)
		}
	}
	t.Skip("no password opens it")
	return nil, ""
}

func BenchmarkWrite(b *testing.B) {
	for _, l := range []struct {
		name   string
		layout webcapturetest.Layout
	}{
		{"table", webcapturetest.Layout{}},
		{"object streams", webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100}},
	} {
		path := filepath.Join(b.TempDir(), "large.pdf")
		h, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := webcapturetest.WriteSets(h, 100_000, webcapturetest.Options{Leaf: 64}, l.layout); err != nil {
			b.Fatal(err)
		}
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
		f, err := Open(context.Background(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, w := range ways {
			b.Run(l.name+", "+w.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(f.Size())
				for b.Loop() {
					u := f.NewUpdate()
					u.Put(object.Ref{Num: 100}, []byte(newText))
					if err := w.write(u, io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		f.Close()
	}
}

// TestClosedPreviewLeavesItsFile: closing a preview does not release the buffer of its file, which another file could
// then overwrite.
func TestClosedPreviewLeavesItsFile(t *testing.T) {
	open := func(name string, data []byte) *File {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	data := sample(false).Bytes(webcapturetest.Layout{})
	f := open("one.pdf", data)
	f.NewUpdate().Preview().Close()
	other := bytes.Clone(data)
	other[len("%PDF-1.")]--
	for range 100 { // a pool may lose what it is given
		open("another.pdf", other)
	}
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil || !bytes.Equal(b.Bytes(), data) {
		t.Errorf("the file became another: %v", err)
	}
}

// TestStreamsKeepTheirData: PutDict changes the dictionary of a stream, and keeps its data. Other objects have no data
// to keep.
func TestStreamsKeepTheirData(t *testing.T) {
	const stored = "data\nof a stream"
	doc := sample(false)
	ref := object.Ref{Num: uint32(doc.AddStream("<</Note (old)>>", []byte(stored)))}
	member := object.Ref{Num: uint32(doc.Add("(a member)"))}
	data := doc.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7})
	f := opened(t, "sample", data, "")
	for _, w := range ways {
		u := f.NewUpdate()
		u.PutDict(ref, []byte("<</Note (new)/Length 3>>"))
		r := opened(t, w.name, w.written(t, u), "").NewReader()
		o, err := r.Get(ref)
		d, _ := o.Dict()
		length, _ := d.Lookup("Length").Int()
		if err != nil || text(d.Lookup("Note")) != text(literal("(new)")) || length != int64(len(stored)) {
			t.Errorf("%s: the stream is %v, %v", w.name, o, err)
		}
		if data, err := DataOf(r.Stream(ref)); err != nil || string(data) != stored {
			t.Errorf("%s: the data are %q, %v", w.name, data, err)
		}
	}
	prefixed, err := New(context.Background(), doc.Bytes(webcapturetest.Layout{Prefix: []byte("junk\n")}), nil)
	if err != nil {
		t.Fatal(err)
	}
	u := prefixed.NewUpdate()
	u.PutDict(ref, []byte("<<>>"))
	g := opened(t, "after junk", full.written(t, u), "")
	if data, err := DataOf(g.NewReader().Stream(ref)); err != nil || string(data) != stored {
		t.Errorf("after junk: the data are %q, %v", data, err)
	}
	u.PutDict(member, []byte("<<>>"))
	if err := full.write(u, io.Discard); err == nil ||
		!strings.HasSuffix(err.Error(), "of the type string, not a stream") {
		t.Errorf("a string: %v", err)
	}
	for _, other := range []object.Ref{member, {Num: object.MaxNumber}} {
		t.Run(other.String(), func(t *testing.T) {
			for _, w := range ways {
				u := f.NewUpdate()
				u.PutDict(other, []byte("<<>>"))
				err := w.write(u, io.Discard)
				if want := fmt.Sprintf("object %v is not a stream", other); err == nil || err.Error() != want {
					t.Errorf("%s: %v, want %s", w.name, err, want)
				}
			}
		})
	}
	u = f.NewUpdate()
	u.PutDict(ref, []byte("<<"))
	if err := full.write(u, io.Discard); !object.IsMalformed(err) || !strings.Contains(err.Error(), ref.String()[:3]) {
		t.Errorf("malformed text: %v", err)
	}
}

// TestWriteTo: WriteTo writes all bytes, in parts, and returns how many were written before an error.
func TestWriteTo(t *testing.T) {
	d := sample(false)
	d.AddStream("", make([]byte, 5<<19))
	data := d.Bytes(webcapturetest.Layout{})
	f := opened(t, "large", data, "")
	var b bytes.Buffer
	if n, err := f.WriteTo(&b); err != nil || n != f.Size() || !bytes.Equal(b.Bytes(), data) {
		t.Errorf("%d bytes, %v", n, err)
	}
	for _, limit := range []int{0, 1000, 1 << 20, len(data) - 1} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if n, err := f.WriteTo(&limitedWriter{limit}); err != errFull || n != int64(limit) {
				t.Errorf("%d bytes, %v, want %d", n, err, limit)
			}
		})
	}
}

// TestPreviewsListWhatIsPut: a preview counts and lists the objects of its update. An update of the preview includes
// them, and does not change the first update.
func TestPreviewsListWhatIsPut(t *testing.T) {
	f := opened(t, "table", sample(false).Bytes(webcapturetest.Layout{}), "")
	u := f.NewUpdate()
	added := []object.Ref{u.New(), u.New(), u.New()}
	for _, ref := range added {
		u.Put(ref, []byte("(new)"))
	}
	u.Put(object.Ref{Num: 7}, []byte("(changed)"))
	p := u.Preview()
	if want := slices.Concat(f.Refs(), added); !slices.Equal(p.Refs(), want) {
		t.Errorf("the preview has %d objects, want %d", len(p.Refs()), len(want))
	}
	v := p.NewUpdate()
	ref := v.New()
	v.Put(ref, []byte("(newer)"))
	if v.Len() != 5 || u.Len() != 4 || slices.Contains(added, ref) || v.f != p {
		t.Errorf("the updates have %d and %d objects, and %v is new", u.Len(), v.Len(), ref)
	}
	if v.Forget(); v.Len() != 0 || u.Len() != 4 {
		t.Errorf("after Forget, the updates have %d and %d objects", u.Len(), v.Len())
	}
}

package diff_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// failingPair opens two files. The reads of the file with the index side fail as at and once say.
func failingPair(t *testing.T, data [2][]byte, side, at int, once bool) (files [2]*webcapture.File,
	c *webcapturetest.FailingReads) {
	t.Helper()
	c = webcapturetest.NewFailingReads()
	for i := range files {
		ctx := context.Background()
		if i == side {
			ctx = c
		}
		var err error
		if files[i], err = webcapture.New(ctx, data[i], webcapture.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	c.FailAt(at, !once)
	return files, c
}

// extensive has two files that differ in everything that Compare reads.
func extensive(t *testing.T) (files [2][]byte) {
	const more = `
30 0 obj << /Subtype /Image /Width 2 /Height 2 /Filter [ /ASCIIHexDecode ] /BitsPerComponent 99 0 R >> stream
3031>
endstream
31 0 obj << /Subtype /Image /Width 2 /Height 2 /Filter /ASCIIHexDecode /BitsPerComponent 8 >> stream
3031>
endstream
32 0 obj << /Type /Pages /Resources << /XObject << /I 30 0 R /J 31 0 R >> >> >>
91 0 obj (http://x.example/)
92 0 obj 1.5
80 0 obj << /S /SPS /O [ ] /SI << /AU (http://n.example/) >> >>
94 0 obj << /G 1 >>
99 0 obj 8
95 0 obj (text/html)
96 0 obj << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> [ 6 0 R /Fit ] ] >>
97 0 obj /DCTDecode
98 0 obj <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>
`
	common := []string{
		"/O [ 9 0 R ] /R [ 1 ]", "/O [ 9 0 R 30 0 R 9 0 R ] /R 93 0 R", "\n10 0 obj", more + "93 0 obj [ 1 2 1 ]\n10 0 obj",
		"first\n", "/I Do /J Do\n", "/Contents 18 0 R", "/Contents 18 0 R /PZ 92 0 R /Parent 32 0 R",
		"/URI (http://b.example/#x)", "/URI 91 0 R", "/CT (text/html)", "/CT 95 0 R", "/Filter /DCTDecode /ID",
		"/Filter 97 0 R /ID",
		"/Dests << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> [ 6 0 R /Fit ] ] >> >>", "/Dests 96 0 R >>",
		"/S << /G << /X true >> >>", "/S 94 0 R", "7 0 obj << /Type /Page /ID " + idA, "7 0 obj << /Type /Page /ID 98 0 R",
		"(http://m.example/) >> ]", "(http://m.example/) /TS 95 0 R >> ]",
	}
	files[0] = edited(t, append(slices.Clone(common), "/Contents [ 19 0 R ]",
		"/Contents [ 19 0 R ] /Annots [ << /Dest /old >> ]")...)
	files[1] = edited(t, append(common, "95 0 obj (text/html)", "95 0 obj (text/plain)", "(D:2001)", "(D:2002)", "/G 1",
		"/G 2", "3031>\nendstream\n31", "3132>\nendstream\n31", "second\n", "third\n",
		"\n5 0 obj", "\n4 0 obj << /Type /Page >>\n5 0 obj", "/V 1.25", "/V 1.5", "(http://m.example/) 5 0 R",
		"(http://m.example/) 5 0 R (http://n.example/) 80 0 R",
		"(http://d.example/) 10 0 R",
		"(http://d.example/) [ 10 0 R << /S /SPS /O [ ] /SI << /AU (http://e.example/) >> >> ]")...)
	return files
}

// TestFailedReads: if any single read of either file fails, there is no result, even if later reads succeed. The error
// names the file. There are two exceptions: the text of a value that was read before may say "unreadable", and a stream
// that cannot be decoded may be an unread part.
func TestFailedReads(t *testing.T) {
	data := extensive(t)
	whole := text(compare(t, data[0], data[1]))
	for side := range data {
		for at, failed := 1, true; failed; at++ {
			files, c := failingPair(t, data, side, at, true)
			res, of, err := diff.CompareOnce(files[0], files[1])
			failed = c.Reads() >= at
			switch {
			case !failed:
				if err != nil || text(res) != whole {
					t.Errorf("without a failure: %v", err)
				}
			case err == nil && strings.Contains(text(res), "unreadable"):
			case err == nil && strings.Contains(text(res), webcapturetest.ErrRead.Error()): // a stream cannot be decoded
			case err != nil && strings.HasSuffix(err.Error(), webcapturetest.ErrRead.Error()) && of == files[side]:
			default:
				t.Errorf("file %d, read %d: error %v, names the right file: %v", side, at, err, of == files[side])
			}
		}
	}
}

// TestCanceled: if the context of a file ends at any time, there is no result, also while the file is repaired.
func TestCanceled(t *testing.T) {
	data := extensive(t)
	for name, pair := range map[string][2][]byte{
		"whole":   data,
		"damaged": {misplaced(t, data[0], "7 0 obj"), misplaced(t, data[1], "7 0 obj")},
	} {
		t.Run(name, func(t *testing.T) {
			for side := range pair {
				for at, failed := 1, true; failed; at++ {
					files, c := failingPair(t, pair, side, at, false)
					res, err := diff.Compare(files[0], files[1])
					if failed = c.Reads() >= at; failed && (res != nil || !errors.Is(err, webcapturetest.ErrRead)) {
						t.Errorf("file %d, read %d: result %v, error %v", side, at, res, err)
					} else if !failed && err != nil {
						t.Errorf("without a failure: %v", err)
					}
				}
			}
		})
	}
}

// TestFilesFail: an error in the middle of a comparison names the path of the file.
func TestFilesFail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(path, edited(t), 0o600); err != nil {
		t.Fatal(err)
	}
	c := webcapturetest.NewFailingReads()
	if _, err := diff.Files(c, path, path, webcapture.Options{}); err != nil {
		t.Fatal(err)
	}
	reads := c.Reads()
	for at := 1; at <= reads; at += max(reads/20, 1) {
		c.FailAt(at, true)
		res, err := diff.Files(c, path, path, webcapture.Options{})
		if e, ok := errors.AsType[*diff.FileError](err); !ok || e.Path != path || res != nil {
			t.Errorf("read %d of %d: %v, error %v", at, reads, res, err)
		}
	}
}

// misplaced returns a copy of a file in which the cross-reference table has a wrong place for one object.
func misplaced(t *testing.T, data []byte, header string) []byte {
	t.Helper()
	place := fmt.Sprintf("%010d 00000 n", bytes.Index(data, []byte("\n"+header))+1)
	if bytes.Count(data, []byte(place)) != 1 {
		t.Fatalf("no place %s of %s", place, header)
	}
	return bytes.Replace(data, []byte(place), []byte("0000000001 00000 n"), 1)
}

// TestRepairs: Compare repairs the file in which an object is not in its place, and only that file.
func TestRepairs(t *testing.T) {
	whole := edited(t)
	damaged := misplaced(t, whole, "7 0 obj")
	for name, pair := range map[string][2][]byte{"A": {damaged, whole}, "B": {whole, damaged}, "both": {damaged,
		damaged}} {
		t.Run(name, func(t *testing.T) {
			files, _ := failingPair(t, pair, 0, 0, false)
			res, err := diff.Compare(files[0], files[1])
			if err != nil || !res.Same() {
				t.Fatalf("%v, %v", res, err)
			}
			for side := range pair {
				if want := bytes.Equal(pair[side], damaged); files[side].WithoutXRef() != want {
					t.Errorf("file %d: repaired %v, want %v", side, !want, want)
				}
			}
			for side := range pair {
				files, _ = failingPair(t, pair, 0, 0, false)
				if bytes.Equal(pair[side], damaged) {
					_, of, err := diff.CompareOnce(files[0], files[1])
					if !webcapture.IsDamage(err) || of != files[side] {
						t.Errorf("file %d: without a repair, the error is %v", side, err)
					}
					break
				}
			}
		})
	}
}

// panickingContext panics when a file checks it.
type panickingContext struct {
	context.Context
	armed bool
}

func (c *panickingContext) Err() error {
	if c.armed {
		panic(webcapturetest.ErrRead)
	}
	return nil
}

// TestPanics: a panic while B is read reaches the caller, who can recover. It does not end the program.
func TestPanics(t *testing.T) {
	data := edited(t)
	c := &panickingContext{Context: context.Background()}
	b, err := webcapture.New(c, data, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, data, "")
	c.armed = true
	defer func() {
		if recover() != webcapturetest.ErrRead {
			t.Error("the caller sees no panic")
		}
	}()
	diff.CompareOnce(a, b)
}

package pdffile_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A capture is an undamaged file with the report of its audit.
type capture struct {
	name     string
	data     []byte
	password string
	want     *audit.Report
}

// captures returns files of every layout that webcapturetest writes, with one revision and with two, and the real
// files next to the project.
func captures(t *testing.T) (all []capture) {
	t.Helper()
	add := func(name string, data []byte, passwords ...string) {
		for _, password := range passwords {
			if rep, err := audit.Bytes(t.Context(), name, data, audit.Options{Passwords: []string{password}}); err == nil {
				all = append(all, capture{name, data, password, rep})
				return
			}
		}
	}
	pdffile.EachLayout(func(name string, l webcapturetest.Layout, password string) {
		add(name, revisions(l.Linearized).Bytes(l), password)
		l.Linearized = false
		add(name+", appended", added().Bytes(l), password)
	})
	add("site", webcapturetest.Site([]webcapturetest.Resource{{URL: "http://h/", MediaType: "text/html",
		Body: []byte("<p>x")}}, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}), "")
	paths := webcapturetest.Corpus("real", "negative")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(filepath.Base(path), data, "", "1234", "view")
	}
	return all
}

// revisions returns a small content database. Unless one is set, a second revision adds an object. A linearized file
// has only one revision.
func revisions(one bool) *webcapturetest.Document {
	d := webcapturetest.Sets(5, webcapturetest.Options{Leaf: 3, IndirectKeys: true, Images: 2})
	if !one {
		d.Update()
		d.Add("<< /New (object) >>")
	}
	return d
}

// added returns a document without a content database, to which the second revision adds one.
func added() *webcapturetest.Document {
	d := webcapturetest.Sets(4, webcapturetest.Options{Leaf: 3, Images: 2})
	body := d.Body(d.Root)
	d.Set(d.Root, regexp.MustCompile(`/(Names|SpiderInfo) \d+ 0 R`).ReplaceAllString(body, ""))
	d.Update()
	d.Set(d.Root, body)
	return d
}

// A harm is a damaged version of a file.
type harm struct {
	name string
	data []byte
}

// harms returns damaged versions of data: cut off at 200 positions, and damaged in other ways. If few is set, it
// returns a sample of 20.
func harms(data []byte, few bool, r *rand.Rand) (all []harm) {
	n := len(data)
	for i := range 200 {
		cut := n * i / 200
		if i >= 180 { // the end is where the cross-reference data is
			cut = n - 1 - r.IntN(min(n-1, 2000))
		}
		all = append(all, harm{fmt.Sprintf("cut off after %d bytes", cut), data[:cut:cut]})
	}
	replaced := func(name, old, new string) {
		all = append(all, harm{name, bytes.ReplaceAll(data, []byte(old), []byte(new))})
	}
	all = append(all,
		harm{"startxref zeroed", startxref.ReplaceAll(data, []byte("startxref\n0"))},
		harm{"100 bytes before", append(bytes.Repeat([]byte("x\n"), 50), data...)},
		harm{"1500 bytes before", append(bytes.Repeat([]byte("x\n"), 750), data...)})
	replaced("xref broken", "\nxref", "\nxrxf")
	replaced("trailer broken", "trailer", "trxxler")
	replaced("endobj broken", "endobj", "endxbj")
	for i := range 5 {
		at := n/2 + n*(i-2)/12
		zeroed := bytes.Clone(data)
		clear(zeroed[at:min(at+512, n)])
		all = append(all, harm{fmt.Sprintf("512 zero bytes at %d", at), zeroed})
	}
	if few {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:20]
	}
	return all
}

var startxref = regexp.MustCompile(`startxref\s+\d+`)

// all lets tests try every case, and not a sample.
var all = webcapturetest.All()

// TestDamageNeverTurnsOneAnswerIntoAnother: the audit of a damaged file counts the same as that of the whole file, or
// reports that something could not be read. A naive search for objects does not find more entries.
func TestDamageNeverTurnsOneAnswerIntoAnother(t *testing.T) {
	for _, c := range captures(t) {
		t.Run(c.name, func(t *testing.T) {
			h := fnv.New64a()
			h.Write([]byte(c.name))
			r := rand.New(rand.NewPCG(h.Sum64(), 1))
			for _, damaged := range harms(c.data, !all, r) {
				c.check(t, damaged)
			}
		})
	}
}

func (c capture) check(t *testing.T, damaged harm) {
	t.Helper()
	rep, err := audit.Bytes(t.Context(), c.name, damaged.data, audit.Options{Passwords: []string{c.password}})
	found := naiveEntries(damaged.data)
	if err != nil {
		if found != [2]int{} && !errors.Is(err, pdffile.ErrPassword) && !errors.Is(err, pdffile.ErrEncryption) {
			t.Errorf("%s: %v, and a search finds %v entries", damaged.name, err, found)
		}
		return
	}
	if rep.Encrypted && len(rep.Unread) > 0 {
		found = [2]int{} // the naive search also counts keys that cannot be decrypted
	}
	if rep.URLS < found[0] || rep.IDS < found[1] {
		t.Errorf("%s: %d and %d entries, and a search finds %v", damaged.name, rep.URLS, rep.IDS, found)
	}
	if counts(rep) != counts(c.want) && len(rep.Unread) == 0 && !isRevision(damaged.data) {
		t.Errorf("%s: %v, the whole file has %v; nothing is said to be unread: %q", damaged.name, counts(rep),
			counts(c.want), rep.Notices)
	}
}

// counts returns the numbers that describe a content database in one line; the first is 0 if there is none.
func counts(rep *audit.Report) [5]int {
	present := 0
	if rep.Present {
		present = 1
	}
	return [5]int{present, rep.URLS, rep.IDS, rep.PageSets, rep.ImageSets}
}

// isRevision reports whether a file that was cut off looks complete, because it ends where an older revision ends.
func isRevision(data []byte) bool {
	return wholeEnd.Match(data)
}

var wholeEnd = regexp.MustCompile(`startxref\s+[1-9]\d*\s+(%?|%%E?O?F?)\s*$`)

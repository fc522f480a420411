package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

const golden = "../../../testdata/printer"

// compared is a result with all kinds of changes.
func compared() *diff.Result {
	file := func(path string) *audit.Report {
		return &audit.Report{
			Path: path, Facts: webcapture.Facts{Version: "1.6", Present: true, HasURLS: true, HasIDS: true, URLS: 30, IDS: 30},
			Counts: audit.Counts{PageSets: 20, ImageSets: 10},
		}
	}
	res := &diff.Result{A: file("before.pdf"), B: file("after\x1b[31m.pdf")}
	res.B.WithoutXRef = true
	res.B.Notices = []string{"startxref is wrong"}
	res.B.Unread = []rule.Unread{{Place: rule.Place{Set: object.Ref{Num: 7}},
		Err: &object.Malformed{Ref: object.Ref{Num: 7}, Reason: "not closed"}}}
	set := diff.Set{Subtype: webcapture.PageSet, ID: [16]byte{15: 1}, HasID: true,
		URL: "http://a.example/a/long/path/to/a/page/index.html?rev=7"}
	add := func(k diff.Kind, p diff.Place, a, b string) {
		res.Changes = append(res.Changes, diff.Change{Kind: k, Place: p, A: a, B: b})
	}
	add(diff.Lost, diff.Place{Part: diff.WholeTree, Tree: "URLS"}, "30 keys", "")
	for i := range 25 {
		k := nametree.Key(fmt.Sprintf("%016d", i))
		add(diff.Changed, diff.Place{Part: diff.TreeKey, Tree: "IDS", Key: k}, k.String(), k.String()+"\x07")
	}
	add(diff.Added, diff.Place{Part: diff.ContentSet, Set: diff.Set{Subtype: webcapture.ImageSet}}, "", "1 member")
	add(diff.Changed, diff.Place{Part: diff.ContentSet, Set: set, Entry: "CT"}, "(text/html)", "(text/plain)")
	add(diff.Lost, diff.Place{Part: diff.Source, Set: set, Key: "http://b.example/"}, "", "")
	add(diff.Changed, diff.Place{Part: diff.Member, Set: set, Index: 2}, "page 3", "null")
	add(diff.Changed, diff.Place{Part: diff.Info, Entry: "V"}, "1.25", "1")
	add(diff.Lost, diff.Place{Part: diff.RetainedLink, Key: "http://c.example/#x"}, "1 link", "")
	return res
}

func TestDiffTableGolden(t *testing.T) {
	for name, width := range map[string]int{"diff-60.txt": 60, "diff-120.txt": 120, "diff-piped.txt": 0} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := WriteDiff(&out, compared(), width); err != nil {
				t.Fatal(err)
			}
			layouttest.Golden(t, filepath.Join(golden, name), out.String())
			layouttest.Lines(t, out.String(), width)
		})
	}
}

// The verdict is one of four, the same in both formats.
func TestDiffVerdict(t *testing.T) {
	present := &audit.Report{Facts: webcapture.Facts{Present: true}}
	none := &audit.Report{}
	partial := &audit.Report{Facts: webcapture.Facts{Present: true}, Unread: []rule.Unread{{Err: errors.New("x")}}}
	lost := []diff.Change{{Kind: diff.Lost, Place: diff.Place{Part: diff.WholeTree, Tree: "IDS"}}}
	for i, tt := range []struct {
		res           diff.Result
		text, outcome string
	}{
		{diff.Result{A: present, B: present}, "same", "same"},
		{diff.Result{A: none, B: none}, "nothing to compare", "none"},
		{diff.Result{A: present, B: none, Changes: lost}, "different: 1 lost", "different"},
		{diff.Result{A: partial, B: present}, "no difference found, but 1 part could not be compared", "partial"},
		{diff.Result{A: partial, B: present, Changes: lost}, "different: 1 lost, 1 part could not be compared", "partial"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := verdict(&tt.res); got != tt.text {
				t.Errorf("verdict %q, want %q", got, tt.text)
			}
			if got := diffOutcome(&tt.res); got != tt.outcome {
				t.Errorf("outcome %q, want %q", got, tt.outcome)
			}
		})
	}
}

// The document matches docs/diff.md.
func TestDiffJSON(t *testing.T) {
	var out bytes.Buffer
	if err := WriteDiffJSON(&out, compared(), "v1"); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema, Outcome string
		A, B            struct{ Path string }
		Changes         []struct {
			Kind  string
			Place struct {
				Part       string
				Key        *struct{ Hex string }
				ContentSet *struct{ Kind string }
				Index      *int
			}
		}
		Summary struct {
			Lost, Added, Changed int
			Complete             bool
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	res := compared()
	if doc.Schema != diffSchema || doc.Outcome != "partial" || doc.Summary.Complete || doc.B.Path != res.B.Path {
		t.Errorf("head and summary: %+v", doc)
	}
	if n := doc.Summary; n.Lost != 3 || n.Added != 1 || n.Changed != 28 || len(doc.Changes) != len(res.Changes) {
		t.Errorf("%+v, %d changes", n, len(doc.Changes))
	}
	for i, c := range doc.Changes {
		want := &res.Changes[i]
		if c.Kind != want.Kind.String() || c.Place.Part != want.Place.Part.String() {
			t.Errorf("change %d: %s of %s, want %v of %v", i, c.Kind, c.Place.Part, want.Kind, want.Place.Part)
		}
		if has := c.Place.Key != nil; has != (want.Place.Key != "") {
			t.Errorf("change %d: a key %v", i, has)
		}
		if has := c.Place.ContentSet != nil; has != (want.Place.Part >= diff.ContentSet && want.Place.Part <= diff.Member) {
			t.Errorf("change %d: a content set %v", i, has)
		}
		if has := c.Place.Index != nil; has != (want.Place.Part == diff.Member) {
			t.Errorf("change %d: an index %v", i, has)
		}
	}
}

func TestDiffWriteErrorsAreReturned(t *testing.T) {
	for name, err := range map[string]error{
		"table": WriteDiff(fullDisk{}, compared(), 0),
		"JSON":  WriteDiffJSON(fullDisk{}, compared(), ""),
	} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(err, errFull) {
				t.Errorf("%s: %v, want %v", name, err, errFull)
			}
		})
	}
}

// A content set is named by its ID and URL, if it has them.
func TestDiffPlaceOfSets(t *testing.T) {
	for i, tt := range []struct {
		set  diff.Set
		want string
	}{
		{diff.Set{Subtype: webcapture.PageSet}, `{"kind":"page set"}`},
		{diff.Set{Subtype: webcapture.PageSet, HasID: true, ID: [16]byte([]byte("0123456789abcdef"))},
			`{"kind":"page set","id":{"text":"0123456789abcdef","hex":"30313233343536373839616263646566"}}`},
		{diff.Set{Subtype: webcapture.ImageSet, URL: "u"}, `{"kind":"image set","url":{"text":"u","hex":"75"}}`},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := json.Marshal(diffPlace(&diff.Place{Part: diff.ContentSet, Set: tt.set}).Set)
			if err != nil || string(got) != tt.want {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

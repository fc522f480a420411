package diff

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// contentOf returns the unread content of a file with these objects.
func contentOf(t *testing.T, objects string) *content {
	t.Helper()
	d, err := webcapturetest.Parse(objects)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return newContent(f, db)
}

// compareWithin compares two files with budgets of work. It returns the work on each.
func compareWithin(t *testing.T, objects [2]string, budget [2]int64) (*Result, [2]int64) {
	t.Helper()
	c := &comparison{}
	for side := range objects {
		c.of[side] = contentOf(t, objects[side])
		if budget[side] > 0 {
			c.of[side].budget.Work = budget[side]
		}
		if err := c.of[side].read(); err != nil && err != errBudget {
			t.Fatal(err)
		}
	}
	if err := c.run(); err != nil && !errors.Is(err, errBudget) {
		t.Fatal(err)
	}
	var work [2]int64
	for side, f := range c.of {
		work[side] = f.extra + f.r.BytesRead()
	}
	return c.result(), work
}

// budgeted has a file with everything that takes work. Each item is there n times.
func budgeted(n int, title string) string {
	repeat := func(s string) string { return strings.Repeat(s, n) }
	return `names: << /URLS << /Names [ (a) 5 0 R (b) [ ` + repeat("5 0 R ") + `] (c) 8 0 R ] >> >>
5 0 obj << /S /SPS /T (` + title + `) /O [ ` + repeat("6 0 R ") + `] /SI << /AU (a) >> >>
6 0 obj << /Type /Page /Contents [ ` + repeat("7 0 R ") + `] /Annots [ ` + repeat("<< >> ") + `] >>
7 0 obj << >> stream
` + title + `
endstream
8 0 obj << /S /SIS /O [ ` + repeat("9 0 R ") + `] >>
9 0 obj << /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 >> stream
` + title + `
endstream
`
}

// TestBudgets: with too small a budget for either file, there are no changes, and the file says why. With a larger one,
// the comparison is complete.
func TestBudgets(t *testing.T) {
	objects := [2]string{budgeted(3, "A"), budgeted(3, "B")}
	whole, enough := compareWithin(t, objects, [2]int64{})
	if !whole.Whole() || len(whole.Changes) == 0 {
		t.Fatalf("without a small budget: %d changes, whole %v", len(whole.Changes), whole.Whole())
	}
	for side := range objects {
		for work := enough[side]; work > 0; work -= elementCost / 2 {
			var budget [2]int64
			budget[side] = work
			res, _ := compareWithin(t, objects, budget)
			unread := []int{len(res.A.Unread), len(res.B.Unread)}
			if work == enough[side] {
				if !res.Whole() || len(res.Changes) != len(whole.Changes) {
					t.Errorf("file %d with a budget of %d: %d changes, %d unread parts", side, work, len(res.Changes), unread)
				}
				continue
			}
			if work > enough[side]-elementCost {
				continue // the last read may be after the last check
			}
			if len(res.Changes)+len(res.Causes) > 0 || unread[side] != 1 || unread[1-side] != 0 {
				t.Fatalf("file %d with a budget of %d of %d: %d changes, %d unread parts", side, work, enough[side],
					len(res.Changes), unread)
			}
		}
	}
}

// TestSpend: the budget is exceeded by the first unit, and by the first member, too many.
func TestSpend(t *testing.T) {
	for _, tt := range []struct {
		spent   int64
		members int
		over    bool
	}{{100, 5, false}, {101, 5, true}, {100, 6, true}} {
		c := contentOf(t, budgeted(1, "A"))
		if _, err := c.r.Get(object.Ref{Num: 5}); err != nil {
			t.Fatal(err)
		}
		c.budget.Work, c.budget.Records = 100+c.r.BytesRead(), 5
		c.members = make([]member, tt.members)
		if err := c.spend(tt.spent); (err == errBudget) != tt.over || c.over != tt.over {
			t.Errorf("%d units and %d members: error %v, over %v", tt.spent, tt.members, err, c.over)
		}
	}
}

// TestRepeatedWork: objects that are shared cost work each time, so that a small file cannot cause much.
func TestRepeatedWork(t *testing.T) {
	for name, file := range map[string]func(n int) string{
		"elements of a value": func(n int) string {
			return "names: << /URLS << /Names [ (a) [ " + strings.Repeat("5 0 R ", n) + "] ] >> >>\n5 0 obj << /S /SPS >>\n"
		},
		"members": func(n int) string {
			return "names: << /URLS << /Names [ (a) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ " + strings.Repeat("6 0 R ", n) +
				"] >>\n6 0 obj << /Type /Page >>\n"
		},
		"annotations": func(n int) string {
			return "names: << /URLS << >> >>\n5 0 obj << /Type /Page /Annots [ " + strings.Repeat("<< >> ", n) + "] >>\n"
		},
		"pages": func(n int) string {
			return "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS << >> >> >>\n3 0 obj << /Type /Pages /Kids [ " +
				strings.Repeat("6 0 R ", n) + "] >>\n6 0 obj << /Type /Page >>\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			var work [2]int64
			for i, n := range []int{1, 101} {
				c := contentOf(t, file(n))
				if err := c.read(); err != nil {
					t.Fatal(err)
				}
				work[i] = c.extra
			}
			if more := work[1] - work[0]; more < 100*elementCost || more > 200*elementCost {
				t.Errorf("100 more take %d units, want %d each", more, elementCost)
			}
		})
	}
}

// TestRefTable: references of any number and generation have numbers of their own.
func TestRefTable(t *testing.T) {
	var table refTable
	refs := []object.Ref{{Num: 5}, {Num: 2}, {Num: 5, Gen: 1}, {Num: object.MaxNumber}, {Num: object.MaxNumber + 1},
		{Num: object.MaxNumber + 2}}
	unset := []object.Ref{{}, {Num: 1}, {Num: 3}, {Num: 6}, {Num: 7}, {Num: 2, Gen: 1}, {Num: object.MaxNumber + 3}}
	for i, ref := range refs {
		table.set(ref, int32(i+1))
		for k, ref := range refs[:i+1] {
			if got := table.of(ref); got != int32(k+1) {
				t.Errorf("%v has %d, want %d", ref, got, k+1)
			}
		}
		for _, ref := range unset {
			if got := table.of(ref); got != 0 {
				t.Errorf("%v has %d", ref, got)
			}
		}
	}
}

// TestSharedObjectsAreReadOnce: an image that pages share, a shared command, and the contents of pages are read once.
// Otherwise, large files would exceed the budget.
func TestSharedObjectsAreReadOnce(t *testing.T) {
	const size = 10_000 // of each object that is read once
	pad := "(" + strings.Repeat("x", size) + ")"
	file := "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS << >> >> >>\n3 0 obj << /Kids [ 5 0 R 6 0 R ] >>\n" +
		"5 0 obj << /Type /Page /Contents 7 0 R /Resources << /XObject << /I 9 0 R >> >> >>\n" +
		"6 0 obj << /Type /Page /Contents 8 0 R >>\n7 0 obj << >> stream\n/I Do\nendstream\n" +
		"8 0 obj << >> stream\n" + pad + " Tj\nendstream\n" +
		"9 0 obj << /Subtype /Image /Width 1 /Height 1 /X " + pad + " >> stream\nx\nendstream\n10 0 obj << /URL " + pad + " >>\n"
	c := comparison{painted: map[[2]object.Ref]bool{}}
	for side := range c.of {
		c.of[side] = contentOf(t, file)
		if err := c.of[side].read(); err != nil {
			t.Fatal(err)
		}
	}
	of := c.of[0]
	for name, read := range map[string]func() error{
		"image":   func() error { _, err := c.samePainted(1, 1); return err },
		"pages":   func() error { _, err := of.pageHashes(); return err },
		"command": func() error { _, err := of.hasher.command(object.MakeRef(object.Ref{Num: 10})); return err },
	} {
		t.Run(name, func(t *testing.T) {
			for i := range 2 {
				before := of.extra + of.r.BytesRead()
				if err := read(); err != nil {
					t.Fatal(err)
				}
				if work := of.extra + of.r.BytesRead() - before; (work >= size) != (i == 0) {
					t.Errorf("time %d takes %d units of work", i+1, work)
				}
			}
		})
	}
}

// TestCommandWithoutNumber: a direct command is not the object 0, to which another command may refer.
func TestCommandWithoutNumber(t *testing.T) {
	c := contentOf(t, "5 0 obj null\n")
	var hashes []contentHash
	for _, text := range []string{"null", "<< /URL (a) >>", "0 0 R"} {
		o, _, err := object.Parse([]byte(text), 0)
		if err != nil {
			t.Fatal(err)
		}
		hash, err := c.hasher.command(o)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
	}
	if hashes[2] != hashes[0] || hashes[1] == hashes[0] {
		t.Errorf("the hashes of null, a command, and 0 0 R are %x", hashes)
	}
}

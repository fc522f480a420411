package diff

import (
	"context"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// elementCost is the cost of an element in the budget of work.
const elementCost = 64

// unreadDocument returns a document of a file with these objects, before it is read.
func unreadDocument(t *testing.T, objects string) *document {
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
	return newDocument(f, db)
}

// workOf returns the work on a document. It restores the budget of the document.
func workOf(d *document) int64 {
	all := d.Budget.Work
	defer func() { d.Budget.Work = all }()
	low, high := int64(0), all
	for low < high { // Spend reports only whether the work exceeds the budget
		if d.Budget.Work = (low + high) / 2; d.Spend(0) == nil {
			high = d.Budget.Work
		} else {
			low = d.Budget.Work + 1
		}
	}
	return low
}

// compareWithin compares two files with budgets of work. It returns the work on each.
func compareWithin(t *testing.T, objects [2]string, budget [2]int64) (*Result, [2]int64) {
	t.Helper()
	var docs [2]*document
	for side := range objects {
		d := unreadDocument(t, objects[side])
		if budget[side] > 0 {
			d.Budget.Work = budget[side]
		}
		d.err = d.read()
		docs[side] = d
	}
	c := &comparison{of: docs}
	if !c.failed() {
		c.run()
	}
	var work [2]int64
	for side, d := range docs {
		if d.err == nil {
			work[side] = workOf(d)
		} else if !d.overBudget() {
			t.Fatal(d.err)
		}
	}
	return c.result(), work
}

// budgeted has a file with everything that takes work. Each item is there n times.
func budgeted(n int, title string) string {
	repeat := func(s string) string { return strings.Repeat(s, n) }
	return `names: << /URLS << /Names [ (a) 5 0 R (b) [ ` + repeat("5 0 R ") + `] (c) 8 0 R ] >> >>
5 0 obj << /S /SPS /T (` + title + `) /O [ ` + repeat("6 0 R ") + `] /SI << /AU (a) >> >>
6 0 obj << /Type /Page /Contents [ ` + repeat("7 0 R ") + `] /Annots [ ` + repeat("<< >> ") + `]
 /Resources << /XObject << /I 9 0 R >> >> >>
7 0 obj << >> stream
` + title + ` /I Do
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
			if res.Whole() {
				if work < enough[side]-10*elementCost { // the texts of changes are read after the last check
					t.Fatalf("file %d with a budget of %d of %d: a whole result", side, work, enough[side])
				}
				continue
			}
			if len(res.Changes)+len(res.Causes) > 0 || unread[side] != 1 || unread[1-side] != 0 {
				t.Fatalf("file %d with a budget of %d of %d: %d changes, %d unread parts", side, work, enough[side],
					len(res.Changes), unread)
			}
		}
	}
}

// TestMembersWithinBudget: the members of content sets have a limit, too.
func TestMembersWithinBudget(t *testing.T) {
	for most, over := range map[int]bool{8: false, 7: true} {
		d := unreadDocument(t, budgeted(4, "A"))
		d.Budget.Records = most
		if d.err = d.read(); d.overBudget() != over {
			t.Errorf("8 members, at most %d: error %v", most, d.err)
		}
	}
}

// TestRepeatedWork: objects that are shared cost work each time, so that a small file cannot cause much.
func TestRepeatedWork(t *testing.T) {
	const page = "6 0 obj << /Type /Page /Contents 7 0 R /Resources << /XObject << /I 9 0 R >> >> >>\n"
	const image = "9 0 obj << /Subtype /Image >> stream\nx\nendstream\n"
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
		"painted images": func(n int) string {
			return "names: << /URLS << >> >>\n" + page + "7 0 obj << >> stream\n" + strings.Repeat("/I Do ", n) +
				"\nendstream\n" + image
		},
	} {
		t.Run(name, func(t *testing.T) {
			var work [2]int64
			for i, n := range []int{1, 101} {
				d := unreadDocument(t, file(n))
				if err := d.read(); err != nil {
					t.Fatal(err)
				}
				work[i] = workOf(d) - d.Reader.BytesRead()
			}
			if more := work[1] - work[0]; more < 100*elementCost || more > 200*elementCost {
				t.Errorf("100 more take %d units, want %d each", more, elementCost)
			}
		})
	}
}

// TestSharedObjectsAreReadOnce: an image that pages share, and a shared command, are read once. Otherwise, large files
// would exceed the budget.
func TestSharedObjectsAreReadOnce(t *testing.T) {
	const size = 10_000 // of each object that is read once
	pad := "(" + strings.Repeat("x", size) + ")"
	file := func(n int) string {
		var pages, sets, keys strings.Builder
		for i := range n {
			num := []string{"10", "20", "30"}[i]
			keys.WriteString("(" + num + ") 1" + num + " 0 R ")
			pages.WriteString(num + " 0 obj << /Type /Page /Contents 7 0 R /Resources << /XObject << /I 9 0 R >> >> >>\n")
			sets.WriteString("1" + num + " 0 obj << /S /SPS /O [ ] /SI << /AU (a) /C 8 0 R >> >>\n")
		}
		return "names: << /URLS << /Names [ " + keys.String() + "] >> >>\n7 0 obj << >> stream\n/I Do\nendstream\n" +
			pages.String() + sets.String() + "8 0 obj << /URL " + pad + " >>\n" +
			"9 0 obj << /Subtype /Image /Width 1 /Height 1 /X " + pad + " >> stream\nx\nendstream\n"
	}
	var work [2]int64
	for i, n := range []int{1, 3} {
		d := unreadDocument(t, file(n))
		if err := d.read(); err != nil {
			t.Fatal(err)
		}
		work[i] = workOf(d)
	}
	if more := work[1] - work[0]; more > size {
		t.Errorf("two more pages and content sets take %d units", more)
	}
}

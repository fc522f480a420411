package webcapture_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// manyContents has each kind of object to which entries can refer.
const manyContents = `names: << /URLS << /Names [
	(a) 7 0 R (b) 5 0 R (c) [ 6 0 R << /S /SIS /ID (x) >> 9 0 R 5 0 R ]
	(d) 8 0 R (e) 9 0 R (f) null (g) 0 0 R (h) [ ] ] >> /IDS << /Names [ (5) 5 0 R ] >> >>
5 0 obj << /S /SPS /ID (5) >>
6 0 obj << /S /SPS /ID (6) >>
7 0 obj [ 5 0 R 10 0 R 8 0 R 11 0 R << /S /SIS /ID (y) >> 10 0 R ]
8 0 obj [ 6 0 R ]
9 0 obj 9 0 R
10 0 obj << /S /SPS /ID (10) >>
11 0 obj [ 5 0 R ]
`

// Indirect objects come in file order, then direct ones. An array yields its elements, except those that are values
// of entries. No indirect object comes twice.
func TestContents(t *testing.T) {
	want := []string{
		"5 0 R: page set",
		"7 0 R: array of 6", "10 0 R in 7 0 R, 1: page set", "11 0 R in 7 0 R, 3: array",
		"direct in 7 0 R, 4: image set",
		"8 0 R: array of 1", "6 0 R in 8 0 R, 0: page set",
		"9 0 R: unread",
		"direct in (c): array of 4", "direct in (c), 1: image set",
		"direct in (f): null", "direct in (g): null", "direct in (h): array of 0",
	}
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			f := open(t, manyContents, l)
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			contents := f.Contents(db)
			for range 2 {
				var got []string
				for c, err := range contents.All(f.NewReader()) {
					got = append(got, describe(c, err))
				}
				if !slices.Equal(got, want) {
					t.Errorf("contents\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

// describe describes a Content and its place.
func describe(c *webcapture.Content, err error) string {
	s := "direct"
	if c.Ref.Num != 0 {
		s = c.Ref.String()
	}
	switch {
	case c.Tree != nil:
		s += fmt.Sprintf(" in %v", c.Entry.Key)
	case c.Index >= 0:
		s += fmt.Sprintf(" in %v", c.Value)
	}
	if c.Index >= 0 {
		s += fmt.Sprintf(", %d", c.Index)
	}
	switch {
	case err != nil:
		return s + ": unread"
	case c.Set == nil:
		return fmt.Sprintf("%s: %s of %d", s, c.Kind(), c.Elements.Len())
	}
	return s + ": " + c.Kind()
}

// Callers may stop at any content.
func TestContentsEnd(t *testing.T) {
	f := open(t, manyContents, webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	for enough := 1; enough <= 13; enough++ {
		n := 0
		for range f.Contents(db).All(f.NewReader()) {
			if n++; n == enough {
				break
			}
		}
		if n != enough {
			t.Errorf("%d contents, want %d", n, enough)
		}
	}
}

// If reading contents reveals damage, the walk ends: later contents would be guesses.
func TestContentsEndWithDamage(t *testing.T) {
	f, err := webcapture.New(context.Background(), displaced(t, webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var last error
	n := 0
	for _, err := range f.Contents(db).All(f.NewReader()) {
		n++
		last = err
	}
	if !webcapture.IsDamage(last) || n != 3 {
		t.Errorf("%d contents, the last with %v; want damage with the third", n, last)
	}
}

// displaced returns a file with five sets. The cross-reference data of the third leads to the object after it;
// everything else is correct.
func displaced(t *testing.T, l webcapturetest.Layout) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString("names: << /URLS << /Names [ (a) 5 0 R (b) 6 0 R (c) 7 0 R (d) 8 0 R (e) 9 0 R ] >> >>\n")
	for num := 5; num < 10; num++ {
		fmt.Fprintf(&b, "%d 0 obj << /S /SPS /ID (%d) /Pad (%d) >>\n", num, num, num)
	}
	d, err := webcapturetest.Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	data := string(d.Bytes(l))
	at := func(num int) string {
		return fmt.Sprintf("%010d 00000 n", strings.Index(data, fmt.Sprintf("\n%d 0 obj", num))+1)
	}
	if strings.Count(data, at(7)) != 1 || strings.Count(data, at(8)) != 1 {
		t.Fatalf("no cross-reference table that can be damaged:\n%q", data)
	}
	return []byte(strings.Replace(data, at(7), at(8), 1))
}

func TestRetryWithoutXRef(t *testing.T) {
	encrypted := webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4, User: "secret"}}
	for _, row := range []struct {
		name string
		l    webcapturetest.Layout
	}{{"in the clear", webcapturetest.Layout{}}, {"with a password", encrypted}} {
		t.Run(row.name, func(t *testing.T) {
			f, err := webcapture.New(context.Background(), displaced(t, row.l),
				webcapture.Options{Passwords: []string{"secret"}})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var runs []string
			if err := f.RetryWithoutXRef(func() error {
				ids, err := idsOf(f)
				runs = append(runs, ids)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if want := []string{"5 6", "5 6 7 8 9"}; !slices.Equal(runs, want) {
				t.Errorf("the sets that were read: %q, want %q", runs, want)
			}
			if got := strings.Join(f.Notices(), "\n"); !f.WithoutXRef() ||
				strings.Count(got, "cross-reference data is damaged") != 1 {
				t.Errorf("repaired %t, notices %q", f.WithoutXRef(), got)
			}
		})
	}
}

// idsOf returns the IDs of the content sets of a file, up to the first error.
func idsOf(f *webcapture.File) (string, error) {
	db, err := f.Database()
	if err != nil {
		return "", err
	}
	var ids []string
	for c, err := range f.Contents(db).All(f.NewReader()) {
		if err != nil {
			return strings.Join(ids, " "), err
		}
		ids = append(ids, string(c.Set.ID.Bytes))
	}
	return strings.Join(ids, " "), nil
}

// RetryWithoutXRef does not retry for other errors or for damage of a repaired file.
func TestRetryWithoutXRefOnlyDamageAndOnce(t *testing.T) {
	damage := func() error {
		f, err := webcapture.New(context.Background(), displaced(t, webcapturetest.Layout{}), webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = idsOf(f)
		return err
	}()
	for _, row := range []struct {
		name   string
		drop   bool
		errs   []error
		repair bool
	}{
		{"no error", false, []error{nil}, false},
		{"an error of the disk", false, []error{os.ErrClosed}, false},
		{"a malformed object", false, []error{&object.Malformed{}}, false},
		{"damage, then an error", false, []error{damage, os.ErrClosed}, true},
		{"damage twice", false, []error{damage, damage}, true},
		{"damage of a repaired file", true, []error{damage}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, err := webcapture.New(context.Background(), displaced(t, webcapturetest.Layout{}),
				webcapture.Options{})
			if err == nil && row.drop {
				err = f.DropXRef(damage)
			}
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			err = f.RetryWithoutXRef(func() error {
				if n++; n > len(row.errs) {
					t.Fatal("called again")
				}
				return row.errs[n-1]
			})
			if last := row.errs[len(row.errs)-1]; !errors.Is(err, last) || n != len(row.errs) ||
				f.WithoutXRef() != row.repair {
				t.Errorf("%v after %d calls, repaired %t", err, n, f.WithoutXRef())
			}
		})
	}
}

// RetryWithoutXRef fails if the context ends while its function runs, even if the function returned nil.
func TestRetryWithoutXRefFailsWithTheContext(t *testing.T) {
	stopped := errors.New("stopped by the user")
	for call := 1; call <= 2; call++ { // of the function; damage in the first leads to the second
		t.Run(fmt.Sprint(call), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			f, err := webcapture.New(ctx, displaced(t, webcapturetest.Layout{}), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			err = f.RetryWithoutXRef(func() error {
				if n++; n == call {
					cancel(stopped)
					return nil
				}
				_, err := idsOf(f)
				return err
			})
			if err != stopped || n != call {
				t.Errorf("%v after %d calls, want %v after %d", err, n, stopped, call)
			}
			if err := f.Intact(); err != stopped {
				t.Errorf("Intact() = %v, want %v", err, stopped)
			}
		})
	}
}

// The trees of a large file are read in parallel, with the results of reading one after the other.
func TestLargeFilesHaveBothTrees(t *testing.T) {
	d := webcapturetest.Sets(300, webcapturetest.Options{Leaf: 5})
	small := d.Bytes(webcapturetest.Layout{})
	d.AddStream("", make([]byte, 2<<20))
	large := d.Bytes(webcapturetest.Layout{})
	trees := func(data []byte) string {
		f, err := webcapture.New(context.Background(), data, webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		db, err := f.Database()
		if err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, tree := range db.Trees() {
			s += fmt.Sprintf("%v %v %d %v\n", tree.Name, tree.Root, tree.Len(), tree.Entry(tree.Len()-1))
		}
		return s
	}
	if got, want := trees(large), trees(small); got != want || !strings.Contains(got, "IDS") {
		t.Errorf("trees\n%s\nwant\n%s", got, want)
	}
}

// In a large file, damage of either tree is an error, as in a small one.
func TestLargeFilesFailWithTheirTrees(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS 5 0 R /IDS 6 0 R >>\n" +
		"5 0 obj << /Names [ (a) 7 0 R ] >>\n6 0 obj << /Names [ (b) 7 0 R ] >>\n")
	if err != nil {
		t.Fatal(err)
	}
	d.AddStream("", make([]byte, 2<<20))
	data := string(d.Bytes(webcapturetest.Layout{}))
	for _, header := range []string{"\n5 0 obj", "\n6 0 obj"} {
		t.Run(header[1:], func(t *testing.T) {
			f, err := webcapture.New(context.Background(), []byte(strings.Replace(data, header, "\n9 0 obj", 1)),
				webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if db, err := f.Database(); !webcapture.IsDamage(err) || len(db.Trees()) != 1 {
				t.Errorf("%d trees, %v, want damage and the other tree", len(db.Trees()), err)
			}
		})
	}
}

// Damage of an element of an array ends the walk, like that of a value.
func TestContentsEndWithDamagedElements(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ (a) [ 5 0 R 6 0 R 7 0 R ] (b) 8 0 R ] >> >>\n" +
		"5 0 obj << /S /SPS >>\n6 0 obj << /S /SPS >>\n7 0 obj << /S /SPS >>\n8 0 obj << /S /SPS >>\n")
	if err != nil {
		t.Fatal(err)
	}
	data := strings.Replace(string(d.Bytes(webcapturetest.Layout{})), "\n6 0 obj", "\n9 0 obj", 1)
	f, err := webcapture.New(context.Background(), []byte(data), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for c, err := range f.Contents(db).All(f.NewReader()) {
		got = append(got, describe(c, err))
	}
	want := []string{"8 0 R: dictionary", "direct in (a): array of 3", "5 0 R in (a), 0: dictionary",
		"6 0 R in (a), 1: unread"}
	if !slices.Equal(got, want) {
		t.Errorf("contents %q, want %q", got, want)
	}
}

// A catalog that cannot be read is an error, not a file without a database. Database uses the catalog that Open has
// read.
func TestDatabaseFailsWithTheCatalog(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ (a) 5 0 R ] >> >>\n5 0 obj << /S /SPS >>\n")
	if err != nil {
		t.Fatal(err)
	}
	data := d.Bytes(webcapturetest.Layout{})
	f, err := webcapture.New(context.Background(), data, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	header := fmt.Sprintf("\n%d 0 obj", f.Catalog().Num)
	copy(data[strings.Index(string(data), header):], "\n???") // as if the disk failed
	if db, err := f.Database(); err != nil || db.URLS == nil {
		t.Errorf("%+v, %v, want the database of the catalog that was read before", db, err)
	}
	r := f.NewReader()
	if _, ok, err := r.Lookup(webcapture.URLS, "a"); !webcapture.IsDamage(err) || ok {
		t.Errorf("Lookup: %t, %v, want damage", ok, err)
	}
	if n, err := r.PageNumber(object.Ref{Num: 5}); !webcapture.IsDamage(err) {
		t.Errorf("PageNumber: %d, %v, want damage", n, err)
	}
}

// Object 0 is null at each place, and not one object.
func TestContentsOfObjectZero(t *testing.T) {
	f := open(t, "names: << /URLS << /Names [ (a) [ 0 0 R 0 0 R ] ] >> >>\n5 0 obj null\n", webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for c, err := range f.Contents(db).All(f.NewReader()) {
		got = append(got, describe(c, err))
	}
	want := []string{"direct in (a): array of 2", "direct in (a), 0: null", "direct in (a), 1: null"}
	if !slices.Equal(got, want) {
		t.Errorf("contents %q, want %q", got, want)
	}
}

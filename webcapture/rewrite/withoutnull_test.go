package rewrite

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestWithoutNull: null and repeated members leave O, together with their counts in R. If the counts are not those of
// the members, all stay. O and R without a change stay as written.
func TestWithoutNull(t *testing.T) {
	for name, c := range map[string]struct{ o, r, want string }{
		"nothing to drop":       {"[ 10 0 R 11 0 R ]", "[ 1 2 ]", "[ 10 0 R 11 0 R ] [ 1 2 ]"},
		"null":                  {"[ null 10 0 R 11 0 R ]", "[ 1 2 3 ]", "[10 0 R 11 0 R] [2 3]"},
		"a reference to null":   {"[ 10 0 R 99 0 R 11 0 R ]", "[ 1 2 3 ]", "[10 0 R 11 0 R] [1 3]"},
		"a repeated member":     {"[ 10 0 R 11 0 R 10 0 R ]", "[ 1 2 3 ]", "[10 0 R 11 0 R] [1 2]"},
		"an unreadable member":  {"[ 12 0 R 10 0 R null ]", "[ 1 2 3 ]", "[12 0 R 10 0 R] [1 2]"},
		"too few counts":        {"[ null 10 0 R ]", "[ 1 ]", "[ null 10 0 R ] [ 1 ]"},
		"too many counts":       {"[ null 10 0 R ]", "[ 1 2 3 ]", "[ null 10 0 R ] [ 1 2 3 ]"},
		"one count for all":     {"[ null 10 0 R ]", "3", "[10 0 R] 3"},
		"no members with count": {"[ null ]", "3", "[] []"},
	} {
		t.Run(name, func(t *testing.T) {
			set := "20 0 obj << /S /SIS /O " + c.o + " /R " + c.r + " >>\n"
			p := plannerOf(t, "names: << >>\n"+info+set+imageObject(10, "", "x")+imageObject(11, "", "y")+"12 0 obj ]\n",
				Options{})
			var cs webcapture.ContentSet
			if err := p.reader.Read(object.MakeRef(object.Ref{Num: 20}), &cs); err != nil {
				t.Fatal(err)
			}
			text, err := p.withoutNull(&cs)
			if err != nil {
				t.Fatal(err)
			}
			o, _, err := object.Parse(text, 0)
			if err != nil {
				t.Fatal(err)
			}
			d, _ := o.Dict()
			if got := string(d.Lookup("O").Append(nil)) + " " + string(d.Lookup("R").Append(nil)); got != c.want {
				t.Errorf("O and R are %s, want %s", got, c.want)
			}
		})
	}
}

// TestLeftIsOrdered: findings that are left come in the order of their places, and in their given order at one place.
func TestLeftIsOrdered(t *testing.T) {
	left := func(set uint32, reason string) Left {
		return Left{&rule.Finding{Place: rule.PlaceOfContent(&webcapture.Content{Ref: object.Ref{Num: set}})}, reason}
	}
	d := &draft{left: []Left{left(3, "d"), left(2, "b"), left(1, "a"), left(2, "c")}}
	d.sort()
	got := ""
	for _, l := range d.left {
		got += l.Reason
	}
	if got != "abcd" {
		t.Errorf("the order is %s, want abcd", got)
	}
}

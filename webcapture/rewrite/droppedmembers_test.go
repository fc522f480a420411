package rewrite

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestDroppedMembers: members leave O together with their counts in R. O and R without a change stay as written.
func TestDroppedMembers(t *testing.T) {
	for name, c := range map[string]struct {
		o, r    string
		dropped []int
		want    string
	}{
		"nothing to drop":       {"[ 10 0 R 11 0 R ]", "[ 1 2 ]", nil, ""},
		"the first":             {"[ null 10 0 R 11 0 R ]", "[ 1 2 3 ]", []int{0}, "O [10 0 R 11 0 R], R [2 3]"},
		"the second":            {"[ 10 0 R 99 0 R 11 0 R ]", "[ 1 2 3 ]", []int{1}, "O [10 0 R 11 0 R], R [1 3]"},
		"two":                   {"[ 12 0 R null null ]", "[ 1 2 3 ]", []int{1, 2}, "O [12 0 R], R [1]"},
		"one count for all":     {"[ null 10 0 R ]", "3", []int{0}, "O [10 0 R]"},
		"no members with count": {"[ null ]", "3", []int{0}, "O [], R []"},
	} {
		t.Run(name, func(t *testing.T) {
			set := "20 0 obj << /S /SIS /O " + c.o + " /R " + c.r + " >>\n"
			p := plannerOf(t, "names: << >>\n"+info+set+imageObject(10, "", "x")+imageObject(11, "", "y")+"12 0 obj ]\n",
				Options{})
			var cs webcapture.ContentSet
			if err := p.reader.Read(object.MakeRef(object.Ref{Num: 20}), &cs); err != nil {
				t.Fatal(err)
			}
			dropped := map[int]bool{}
			for _, i := range c.dropped {
				dropped[i] = true
			}
			changes, err := p.members(cs.Dict, &setEdit{dropped: dropped})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, change := range changes {
				got = append(got, change.Key+" "+string(change.Value))
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("the changes are %s, want %s", text, c.want)
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

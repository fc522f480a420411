package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The members of a content set are the references in O, each with its index, and with its count if R has one for each
// element. A content set without references has one row.
func TestMembersOfContentSets(t *testing.T) {
	for _, tt := range []struct{ set, want string }{
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ 1 2 ]", "7 at 0: 1, 8 at 1: 2"},
		{"/S /SIS /O [ (x) 7 0 R null 8 0 R ] /R [ 9 1 9 2 ]", "7 at 1: 1, 8 at 3: 2"},
		{"/S /SIS /O [ 7 0 R 0 0 R 7 0 R ] /R [ 1 9 2 ]", "7 at 0: 1, 7 at 2: 2"},
		{"/S /SIS /O [ 7 0 R ] /R 3", "7 at 0: 3"},
		{"/S /SIS /O [ 7 0 R ] /R [ 0 ]", "7 at 0: 0"},
		{"/S /SIS /O [ (x) 7 0 R ] /R 3", "7 at 1: -1"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R 3", "7 at 0: -1, 8 at 1: -1"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ 1 ]", "7 at 0: -1, 8 at 1: -1"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ 1 2 3 ]", "7 at 0: -1, 8 at 1: -1"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ /A 2 ]", "7 at 0: -1, 8 at 1: 2"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ -1 2147483647 ]", "7 at 0: -1, 8 at 1: 2147483647"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ 1 2147483648 ]", "7 at 0: 1, 8 at 1: -1"},
		{"/S /SIS /O [ 7 0 R 8 0 R ] /R [ 9 0 R 10 0 R ]", "7 at 0: 4, 8 at 1: -1"},
		{"/S /SIS /O 11 0 R /R 12 0 R", "7 at 0: 5, 8 at 1: 6"},
		{"/S /SIS /O [ 7 0 R ]", "7 at 0: -1"},
		{"/S /SPS /O [ 7 0 R ] /R [ 1 ]", "7 at 0: -1"},
		{"/S /SPS /O [ ]", "0 at -1: -1"},
		{"/S /SPS /O [ (x) ]", "0 at -1: -1"},
		{"/S /SPS", "0 at -1: -1, O is not an array"},
		{"/S /SIS /O (x) /R 1", "0 at -1: -1, O is not an array"},
	} {
		t.Run(tt.set, func(t *testing.T) {
			var rows []string
			look := func(_ *rule.Pass, doc *rule.Document) {
				for _, m := range doc.Members.Rows {
					row := fmt.Sprintf("%d at %d: %d", m.Member.Num, m.Index, m.Count)
					if !m.Listed {
						row += ", O is not an array"
					}
					if rows = append(rows, row); m.Set.Num != 5 || !m.HasID || m.ID[0] != 0xa0 {
						t.Errorf("set %v, ID %v", m.Set, m.ID)
					}
				}
			}
			auditText(t, inURLS+"5 0 obj << /ID "+idA+fromA+" "+tt.set+" >>"+images+
				"9 0 obj 4\n10 0 obj << /Broken ] >>\n11 0 obj [ 7 0 R 8 0 R ]\n12 0 obj [ 5 6 ]\n", plainLayout,
				Options{Rules: []*rule.Rule{{CheckDocument: look}}})
			if got := strings.Join(rows, ", "); got != tt.want {
				t.Errorf("members %s, want %s", got, tt.want)
			}
		})
	}
}

// Checks of links get all entries whose values contain a content set. For a direct content set, that is its own entry.
func TestLinksOfContentSets(t *testing.T) {
	const direct = "<< /S /SPS /ID " + idB + " /O [ ] >>"
	var got []string
	r := &rule.Rule{CheckLinks: func(_ *rule.Pass, l *rule.Links) {
		keys := func(list []rule.Entry, tree webcapture.TreeName) (s string) {
			for _, e := range list {
				if s += string(e.Key); e.Tree.Name != tree {
					t.Errorf("entry %v of %v is in %v", e.Key, e.Tree.Name, tree)
				}
			}
			return s
		}
		got = append(got, fmt.Sprintf("%d: %s, %s", l.Ref.Num, keys(l.URLS, webcapture.URLS), keys(l.IDS, webcapture.IDS)))
	}}
	auditText(t, "names: << /URLS << /Names [ (a) 5 0 R (b) [ 5 0 R 6 0 R ] (c) 7 0 R (d) [ "+direct+" 5 0 R ] ] >> "+
		"/IDS << /Names [ (e) 5 0 R (f) [ 6 0 R ] (g) "+direct+" (h) 7 0 R ] >> >>\n5 0 obj << /S /SPS /O [ ] >>\n"+
		"6 0 obj << /S /SIS /O [ ] >>\n7 0 obj [ 6 0 R 6 0 R ]\n", plainLayout, Options{Rules: []*rule.Rule{r}})
	slices.Sort(got)
	if want := []string{"0: , g", "0: d, ", "5: abd, e", "6: bc, fh"}; !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
}

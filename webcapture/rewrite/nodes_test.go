package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// imageObject returns the text of an image object with some data.
func imageObject(num int, entries, data string) string {
	return fmt.Sprintf("%d 0 obj << /Type /XObject /Subtype /Image %s /Length %d >>\nstream\n%s\nendstream\n",
		num, entries, len(data), data)
}

// plannerOf returns a planner that has taken no steps yet.
func plannerOf(t *testing.T, objects string, opt Options) *planner {
	t.Helper()
	return newPlanner(planOf(t, pdf(t, objects), opt).rounds.before, opt)
}

// TestNodesOutside: an edit of one tree must not write the nodes of URLS, IDS, and Dests, or the root of another tree.
func TestNodesOutside(t *testing.T) {
	p := plannerOf(t, "names: << /URLS 30 0 R /IDS 32 0 R /Dests 34 0 R /AP 36 0 R /Pages << /Names [ ] >> >>\n"+info+setA+
		"30 0 obj << /Kids [ 31 0 R ] >>\n"+
		"31 0 obj << /Limits [ (http://a/0) (http://a/0) ] /Names [ (http://a/0) 20 0 R ] >>\n"+
		"32 0 obj << /Kids [ 33 0 R ] >>\n33 0 obj << /Limits [ (x) (x) ] /Names [ (x) 20 0 R ] >>\n"+
		"34 0 obj << /Kids [ 35 0 R ] >>\n35 0 obj << /Limits [ (d) (d) ] /Names [ (d) [ 10 0 R /Fit ] ] >>\n"+
		"36 0 obj << /Kids [ 37 0 R ] >>\n37 0 obj << /Limits [ (p) (p) ] /Names [ (p) null ] >>\n", Options{})
	for tree, want := range map[string]string{
		"URLS":  "32 33 34 35 36",
		"IDS":   "30 31 34 35 36",
		"Dests": "30 31 32 33 36",
		"AP":    "30 31 32 33 34 35",
	} {
		t.Run(tree, func(t *testing.T) {
			nodes, err := p.nodesOutside(tree)
			if err != nil {
				t.Fatal(err)
			}
			delete(nodes, object.Ref{})
			var got []string
			for _, ref := range slices.SortedFunc(maps.Keys(nodes), object.Ref.Compare) {
				got = append(got, fmt.Sprint(ref.Num))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("the nodes are %v, want %s", got, want)
			}
		})
	}
}

// TestThen: a combined plan also remembers the content sets that only a later round found.
func TestThen(t *testing.T) {
	rounds := make([]*combinedPlan, 2)
	for i := range rounds {
		d := planOf(t, pdf(t, "names: << >>\n"+info+setA), Options{}).rounds.last
		d.unseen[object.Ref{Num: uint32(20 + i)}] = true
		rounds[i] = newCombinedPlan(d)
	}
	rounds[0].appendPlan(rounds[1])
	for num := range uint32(2) {
		if !rounds[0].unseen[object.Ref{Num: 20 + num}] {
			t.Errorf("content set %d 0 R is no longer new", 20+num)
		}
	}
}

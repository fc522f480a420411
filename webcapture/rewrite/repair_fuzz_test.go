package rewrite

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// maxDamage is how many kinds of damage one document gets: more hide each other.
const maxDamage = 6

// brokenBy returns a generated database with the kinds of damage in program, in this order, and their names. It
// skips damage that does not apply.
func brokenBy(bases []audittest.Base, program []byte) (data []byte, done []string) {
	if len(program) == 0 {
		program = []byte{0}
	}
	b := &bases[int(program[0])%len(bases)]
	for _, op := range program[1:min(len(program), maxDamage+1)] {
		m := audittest.Mutations[int(op)%len(audittest.Mutations)]
		if broken, ok := b.Broken(m); ok {
			b = broken
			done = append(done, m.Rule+" "+m.Name)
		}
	}
	return b.Encode(), done
}

// FuzzRepair damages one database in several ways and repairs it. No plan is rejected. An independent audit of the
// result has no error or warning of a rule that had fewer before, unless the rule may follow the actions; a second
// plan is empty; and all content sets that only a text search could reach are still reachable.
func FuzzRepair(f *testing.F) {
	bases := audittest.Generated(f)
	for _, b := range bases {
		if n := len(reachedByText(b.Encode())); n < 36 {
			f.Fatalf("%s: %d content sets are reached by text, there are more", b.Name, n)
		}
	}
	for i := range audittest.Mutations {
		if i%8 == 0 {
			f.Add([]byte{byte(i / 8), byte(i), byte(i * 7), byte(i * 31)})
		}
	}
	for _, program := range [][]byte{
		{1, 152, 195, 203},                                                                         // a pair whose key is a number has two sets
		{3, 78, 127, 252, 26, 21, 231}, {2, 42, 232, 163, 187, 233}, {0, 96, 234, 234, 9, 168, 50}, // were refused
	} {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) { checkDamageRepaired(t, bases, program) })
}

func checkDamageRepaired(t *testing.T, bases []audittest.Base, program []byte) {
	t.Helper()
	data, done := brokenBy(bases, program)
	p := planOf(t, data, Options{})
	if p.Empty() {
		return
	}
	out := written(t, p)
	file := opened(t, out, Options{})
	if _, err := p.verifyFile(file); err != nil {
		t.Errorf("%q: refused: %v; steps: %v", done, err, p.Steps)
		return
	}
	again, err := NewPlan(t.Context(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range again.Steps {
		t.Errorf("%q: left for a second time: %v", done, s)
	}
	before, after := faultsFound(t, data), faultsFound(t, out)
	for id, n := range after {
		t.Run(id, func(t *testing.T) {
			r, _ := audit.Lookup(id)
			if n > before[id] && !mayFollow(r, actionsOf(p.Steps)) && len(p.rounds.unseen) == 0 {
				t.Errorf("%q: %s is found %d times, before %d times; steps: %v", done, id, n, before[id], p.Steps)
			}
		})
	}
	reached := reachedByText(out)
	for set := range reachedByText(data) {
		if !reached[set] {
			t.Errorf("%q: %s is not reached any more; steps: %v", done, set, p.Steps)
		}
	}
}

// faultsFound counts the errors and warnings that an audit finds, by rule.
func faultsFound(t *testing.T, data []byte) map[string]int {
	rep, err := audit.Bytes(t.Context(), "x.pdf", data, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range rep.Findings {
		if f.Level() > rule.Note {
			count[f.Rule.ID]++
		}
	}
	return count
}

var (
	objectText = regexp.MustCompile(`(?s)(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj`)
	rootText   = regexp.MustCompile(`/Root (\d+) 0 R`)
)

// reachedByText returns the dictionaries to which the entries of each tree refer, and those to which any pair
// refers, in a file without object streams. It takes the last text of each object, and ignores cross-reference
// data, Limits, and order.
func reachedByText(data []byte) map[string]bool {
	bodies := map[int]object.Object{}
	for _, m := range objectText.FindAllSubmatch(data, -1) {
		num, _ := strconv.Atoi(string(m[1]))
		if o, _, err := object.Parse(m[2], 0); err == nil {
			bodies[num] = o
		}
	}
	get := func(o object.Object) (object.Object, int) {
		num := 0
		for range 8 {
			ref, ok := o.Ref()
			if !ok {
				break
			}
			num, o = int(ref.Num), bodies[int(ref.Num)]
		}
		return o, num
	}
	lookup := func(o object.Object, key string) object.Object {
		o, _ = get(o)
		d, _ := o.Dict()
		return d.Lookup(key)
	}
	reached, seen := map[string]bool{}, map[int]bool{}
	tree, isKey := "", false
	set := func(o object.Object) {
		if o, num := get(o); o.Kind() == object.Dictionary && num > 0 {
			reached[fmt.Sprintf("%d 0 R", num)] = true
			if isKey {
				reached[fmt.Sprintf("%s: %d 0 R", tree, num)] = true
			}
		}
	}
	var node func(o object.Object)
	value := func(o object.Object) {
		set(o)
		o, _ = get(o)
		list, _ := o.Array()
		for e := range list.All() {
			set(e)
		}
	}
	node = func(o object.Object) {
		o, num := get(o)
		if num > 0 && seen[num] {
			return
		}
		seen[num] = true
		kids, _ := get(lookup(o, "Kids"))
		list, _ := kids.Array()
		for kid := range list.All() {
			node(kid)
		}
		names, _ := get(lookup(o, "Names"))
		list, _ = names.Array()
		i := 0
		for e := range list.All() {
			if i++; i%2 == 0 {
				value(e)
				continue
			}
			key, _ := get(e)
			isKey = key.Kind() == object.String
		}
	}
	all := rootText.FindAllSubmatch(data, -1)
	root, _ := strconv.Atoi(string(all[len(all)-1][1]))
	names := lookup(bodies[root], "Names")
	for _, tree = range []string{"URLS", "IDS"} {
		clear(seen)
		node(lookup(names, tree))
	}
	return reached
}

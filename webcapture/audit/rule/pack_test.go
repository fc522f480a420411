package rule

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// packedRules are what findings are packed of.
var packedRules = []*Rule{{ID: "WC001"}, {ID: "WC002"}, {ID: "WC003"}}

// packable returns findings with whatever a finding may have.
func packable() []Finding {
	long := strings.Repeat("long", 100)
	var places []Place
	for _, tree := range []string{"", "URLS", "IDS"} {
		for _, node := range []*NodePlace{nil, {Index: -1}, {Ref: object.Ref{Num: 7, Gen: 3}, Index: 300, Kid: true, order: 5}, {order: 1 << 20}} {
			places = append(places, Place{Tree: tree, Node: node, Key: "a key", ID: nametree.Key(long)})
		}
	}
	for _, set := range []object.Ref{{}, {Num: 3}, {Num: 3, Gen: 65535}, {Num: object.MaxNumber}, {Num: 1 << 31, Gen: 2}} {
		for _, page := range []int{0, 1, 1 << 22} {
			places = append(places, Place{Set: set, Page: page, Object: object.Ref{Num: 9}}, Place{Set: set, Part: "SpiderInfo", Page: page})
		}
	}
	fixes := []*Fix{nil, {}, {Action: ChangeKey, Old: "a key", New: "\x00\xff"}, {Action: AddKey, Tree: "IDS", New: nametree.Key(long), Set: object.Ref{Num: 1}}, {Action: DropMember, Index: -1}}
	var list []Finding
	for i, at := range places {
		for k, fix := range fixes {
			list = append(list, Finding{Rule: packedRules[(i+k)%len(packedRules)], Place: at, Message: fmt.Sprint("a key", i, long[:k*80]), Fix: fix})
		}
	}
	return list
}

// What comes out of a list is what went in.
func TestFindingsComeOutAsTheyWentIn(t *testing.T) {
	want := packable()
	list := FindingsOf(want...)
	if list.Len() != len(want) {
		t.Fatalf("%d findings, want %d", list.Len(), len(want))
	}
	for i, f := range list.All() {
		if !reflect.DeepEqual(f, want[i]) || list.Rule(i) != want[i].Rule || !reflect.DeepEqual(list.Place(i), want[i].Place) {
			t.Fatalf("finding %d is %+v, want %+v", i, f, want[i])
		}
	}
}

// A million findings take dozens of bytes each, also where all have a long key.
func TestFindingsAreSmall(t *testing.T) {
	long := nametree.Key(strings.Repeat("k", 100_000))
	const n = 10_000
	var list Findings
	for i := range n {
		list.AddStatement(Statement{packedRules[0], Place{Tree: "IDS", Node: &NodePlace{Index: i}, Key: long}, &Fix{Action: ChangeKey, Old: long, New: "0123456789abcdef"},
			"key %v is %v", []any{long, nametree.Key("0123456789abcdef")}})
	}
	size := 0
	var blocks []*block
	for _, f := range list.List {
		if !slices.Contains(blocks, f.block) {
			blocks = append(blocks, f.block)
			size += cap(f.block.bytes)
		}
	}
	if size > 80*n {
		t.Errorf("%d findings take %d bytes", n, size)
	}
}

// A message is the same whether its words are made at once or later.
func TestMessagesAreMadeLater(t *testing.T) {
	args := []any{"text", nametree.Key("\x00\xff"), 12, object.Ref{Num: 5}, "text", "", -1}
	const format = "%s %v %d %v %q %q %d"
	for _, more := range []any{"last", errors.New("an error"), object.String} {
		var list Findings
		all := append(slices.Clip(args), more)
		list.AddStatement(Statement{Rule: packedRules[0], format: format + " %v", Args: all})
		if got, want := list.At(0).Message, fmt.Sprintf(format+" %v", all...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Packed findings are sorted as others are.
func TestPackedFindingsAreSorted(t *testing.T) {
	want := packable()
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(want), func(i, j int) { want[i], want[j] = want[j], want[i] })
	list := FindingsOf(want...)
	list.Sort()
	slices.SortFunc(want, Finding.Compare)
	for i, f := range list.All() {
		if f.Compare(want[i]) != 0 {
			t.Fatalf("finding %d is %v, want %v", i, f, want[i])
		}
	}
}

// A list keeps the rest when some findings go.
func TestFindingsGo(t *testing.T) {
	all := packable()
	list := FindingsOf(all...)
	var seen []int
	list.DeleteFunc(func(i int, f Finding) bool {
		if f.Compare(all[i]) != 0 {
			t.Fatalf("finding %d is %v", i, f)
		}
		seen = append(seen, i)
		return i%3 > 0
	})
	if len(seen) != len(all) || list.Len() != (len(all)+2)/3 {
		t.Errorf("%d of %d are left, %d were asked for", list.Len(), len(all), len(seen))
	}
	for i, f := range list.All() {
		if f.Compare(all[3*i]) != 0 {
			t.Errorf("finding %d is %v", i, f)
		}
	}
	list.Add(all[1])
	if got := list.At(list.Len() - 1); got.Compare(all[1]) != 0 {
		t.Errorf("what was added last is %v", got)
	}
}

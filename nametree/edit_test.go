package nametree

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

func TestResultIsTheTreeToBe(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (d) 1 5 0 R 2 (c) 3 (a) 4 ] >> 5 0 obj (b) endobj`)
	e := tree.Edit()
	e.SetKey(2, "e")
	e.SetValue(1, []byte("9 0 R"))
	e.SetValue(2, []byte("10 0 R"))
	e.Remove(3)
	e.SetKey(3, "z")
	e.Add("c", []byte("11 0 R"))
	e.Add("b", []byte("12 0 R"))
	var got []string
	for _, p := range result(e) {
		got = append(got, fmt.Sprintf("%v %d %d %s", p.Key, p.KeyRef.Num, p.Origin, p.Value))
	}
	want := []string{"(b) 5 1 9 0 R", "(b) 0 -1 12 0 R", "(c) 0 -1 11 0 R", "(d) 0 0 ", "(e) 0 2 10 0 R"}
	if !slices.Equal(got, want) {
		t.Errorf("result is %q, want %q", got, want)
	}
}

// result returns the entries of the new tree.
func result(e *Edit) (list []editedPair) {
	s := e.sequence()
	for u := range s.order {
		list = append(list, s.pair(u))
	}
	return list
}

func TestAlikeStopsAtTheFirstDifference(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (a) 1 0 R (b) 2 0 R (c) [ 3 ] ] >>`)
	for text, want := range map[string]int{
		"(a) 1 0 R (b) 2 0 R (c) [3]": 3,
		"(a) 1 0 R (b) 2 0 R (c) [4]": 2,
		"(a) 1 0 R (b) 2 1 R (c) [3]": 1,
		"(a) 1 0 R (x) 2 0 R (c) [3]": 1,
		"(a) null (b) 2 0 R (c) [3]":  0,
	} {
		t.Run(text, func(t *testing.T) {
			other := mustRead(t, "root: << /Names [ "+text+" ] >>")
			if got := tree.Alike(other); got != want {
				t.Errorf("%s: %d entries are alike, want %d", text, got, want)
			}
		})
	}
}

// A sketch is a random tree, with or without faults, as text.
type sketch struct {
	*rand.Rand
	text   strings.Builder
	num    int
	faults int // percentage of nodes and pairs with a fault
}

func (s *sketch) faulty() bool { return s.IntN(100) < s.faults }

// object writes an object and returns a reference to it.
func (s *sketch) object(text string) string {
	s.num++
	fmt.Fprintf(&s.text, "%d 0 obj %s endobj\n", s.num, text)
	return fmt.Sprintf("%d 0 R", s.num)
}

func (s *sketch) pick(choices ...string) string { return choices[s.IntN(len(choices))] }

// names writes the pairs of a leaf.
func (s *sketch) names(keys []Key) string {
	keys = slices.Clone(keys)
	if len(keys) > 1 && s.faulty() {
		i, j := s.IntN(len(keys)), s.IntN(len(keys))
		keys[i], keys[j] = keys[j], keys[i]
	}
	out := "["
	for i, k := range keys {
		key := k.String()
		if s.IntN(8) == 0 {
			key = s.object(key)
		}
		if s.faulty() && s.IntN(4) == 0 {
			out += s.pick(" null 1", " /a 1", " 9999 0 R 1", " 5 [ ]", " "+s.object("( "), " "+keys[0].String()+" 0")
		}
		out += fmt.Sprintf(" %s %s", key, s.pick(fmt.Sprintf("%d 0 R", 5000+i), fmt.Sprintf("<< /V %d >>", i), "null"))
	}
	if s.faulty() && s.IntN(4) == 0 {
		out += " (odd)"
	}
	return out + " ]"
}

// node writes a node; limits is false for a root.
func (s *sketch) node(list string, keys []Key, limits bool) string {
	set := list
	if s.faulty() {
		set += s.pick(" /Type /T", " /Names [ ]", " /Names null", " /Limits [ ]", " /F (oreign)", " /Names [ (0) 1 ]")
	}
	if limits && len(keys) > 0 {
		least, greatest := keys[0], keys[len(keys)-1]
		if s.faulty() {
			greatest = keys[s.IntN(len(keys))] + Key(s.pick("", "0"))
		}
		if !s.faulty() || s.IntN(2) == 0 {
			set = fmt.Sprintf("/Limits [ %v %v ] %s", least, greatest, set)
		}
	} else if s.faulty() {
		set += " /Limits [ (a) (b) ]"
	}
	return "<< " + set + " >>"
}

// tree writes a tree of these keys and returns its root.
func (s *sketch) tree(keys []Key, depth int, limits bool) string {
	if n := len(keys); depth > 0 && n > 0 && s.IntN(8) > 0 {
		kids := "/Kids ["
		for from := 0; from < n; {
			to := min(n, from+1+s.IntN(max(1, n-1)))
			if s.faulty() {
				kids += s.pick(" null", " << /Names [ ] >>", " 9998 0 R", fmt.Sprintf(" %d 0 R", 1+s.IntN(s.num+1)),
					" "+s.object("[ ]"),
					" "+s.object("<< >>"), " "+s.object("<< /Kids [ ] >>"))
			}
			kid := s.tree(keys[from:to], depth-1, true)
			if !s.faulty() {
				kid = s.object(kid)
			}
			kids += " " + kid
			from = to
		}
		return s.node(kids+" ]", keys, limits)
	}
	return s.node("/Names "+s.names(keys), keys, limits)
}

// There are few letters, so that new keys collide with old ones.
func (s *sketch) key() Key {
	return Key([]byte{'a' + byte(s.IntN(26)), 'a' + byte(s.IntN(4)), 'a' + byte(s.IntN(26))}[:1+s.IntN(3)])
}

// change makes random changes to a tree.
func (s *sketch) change(e *Edit, n int) {
	for i := range n {
		value := []byte(fmt.Sprintf("<< /New %d >>", i))
		k := s.key()
		if e.t.Len() == 0 {
			e.Add(k, value)
			continue
		}
		j := s.IntN(e.t.Len())
		switch s.IntN(6) {
		case 0:
			if k != e.t.Entry(j).Key { // SetKey with the same key counts as a change
				e.SetKey(j, k)
			}
		case 1:
			e.SetKey(j, e.t.Entry(j).Key+"0")
		case 2:
			e.SetValue(j, value)
		case 3:
			for ; j < e.t.Len() && s.IntN(8) > 0; j++ {
				e.Remove(j)
			}
		default:
			e.Add(k, value)
		}
	}
}

// resolve removes most of the problems that Write rejects.
func (s *sketch) resolve(e *Edit) {
	seen := make(map[Key]bool)
	for _, p := range result(e) {
		if seen[p.Key] && p.Origin >= 0 && s.IntN(10) > 0 {
			e.Remove(p.Origin)
		}
		seen[p.Key] = true
	}
	for d := range e.t.Defects() {
		if s.IntN(20) > 0 {
			e.DropPair(d.Node, d.Index)
		}
	}
}

// writeRandom writes a random change of a random tree, and checks the promises of Write. It reports whether Write
// refused.
func writeRandom(t *testing.T, seed uint64, entries, changes, faults uint8) bool {
	s := &sketch{Rand: rand.New(rand.NewPCG(seed, 0)), faults: int(faults % 50)}
	var keys []Key
	for range entries {
		keys = append(keys, s.key())
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	root := s.tree(keys, s.IntN(5), false)
	if s.IntN(2) == 0 {
		root = s.object(root)
	}
	text := fmt.Sprintf("root: %s\n%s", root, &s.text)
	store, err := objecttest.Parse(text)
	if err != nil {
		t.Fatal(err, text)
	}
	tree, err := Read(store, store.Object("root"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e := tree.Edit()
	e.fanOut = 2 + s.IntN(6)
	s.change(e, int(changes))
	s.resolve(e)
	got, err := e.Write(store, store, store.Object("root"))
	if refused, ok := errors.AsType[*Refused](err); ok {
		if len(store.Puts()) > 0 || refused.Reason == "" {
			t.Errorf("%v, but %v were put", err, store.Puts())
		}
		return true
	}
	if err != nil {
		t.Fatal(err)
	}
	checkWritten(t, store, e, got)
	if t.Failed() {
		t.Log(text)
	}
	return false
}

func TestWriteOfRandomTrees(t *testing.T) {
	for _, faults := range []uint8{0, 4, 20} {
		t.Run(fmt.Sprint(faults), func(t *testing.T) {
			refused := 0
			const n = 2000
			for seed := range uint64(n) {
				if writeRandom(t, seed, uint8(seed%60), uint8(seed/60%8), faults) {
					refused++
				}
				if t.Failed() {
					t.Fatalf("seed %d, faults %d", seed, faults)
				}
			}
			if refused == 0 || refused > n*9/10 {
				t.Errorf("with %d%% faults %d of %d were refused", faults, refused, n)
			}
			t.Logf("with %d%% faults %d of %d were refused", faults, refused, n)
		})
	}
}

func FuzzEdit(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(3), uint8(0))
	f.Add(uint64(2), uint8(40), uint8(0), uint8(10))
	f.Add(uint64(3), uint8(100), uint8(1), uint8(0))
	f.Add(uint64(4), uint8(200), uint8(50), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, entries, changes, faults uint8) {
		writeRandom(t, seed, entries, changes, faults)
	})
}

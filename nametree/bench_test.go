package nametree

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A denseSource is a Source with its objects in a slice by number, so that Get costs nothing.
type denseSource []object.Object

func (s denseSource) Get(r object.Ref) (object.Object, error) {
	if int(r.Num) < len(s) {
		return s[r.Num], nil
	}
	return object.Object{}, nil
}

func (s *denseSource) add(text []byte) string {
	o, _, err := object.Parse(text, 0)
	if err != nil {
		panic(err)
	}
	*s = append(*s, o)
	return strconv.Itoa(len(*s)-1) + " 0 R"
}

// bigTree makes a tree of n entries in leaves of 64, in the style of Acrobat: keys and values are references.
func bigTree(n int, key func(i int) string) (src denseSource, root object.Object) {
	const fanOut = 64
	src = denseSource{{}}
	type node struct{ ref, least, greatest string }
	var level []node
	for i := 0; i < n; {
		first := i
		text := []byte("[")
		for ; i < n && i < first+fanOut; i++ {
			text = fmt.Appendf(text, " %s %d 0 R", src.add([]byte(key(i))), 5_000_000+i)
		}
		names := append(text, " ]"...)
		limits := fmt.Sprintf("%s %s", key(first), key(i-1))
		ref := src.add(fmt.Appendf(nil, "<< /Limits [ %s ] /Names %s >>", limits, names))
		level = append(level, node{ref, key(first), key(i - 1)})
	}
	for len(level) > fanOut {
		var above []node
		for j := 0; j < len(level); j += fanOut {
			kids := level[j:min(j+fanOut, len(level))]
			n := node{"", kids[0].least, kids[len(kids)-1].greatest}
			text := fmt.Appendf(nil, "<< /Limits [ %s %s ] /Kids [", n.least, n.greatest)
			for _, k := range kids {
				text = append(append(text, ' '), k.ref...)
			}
			n.ref = src.add(append(text, " ] >>"...))
			above = append(above, n)
		}
		level = above
	}
	text := []byte("<< /Kids [")
	for _, k := range level {
		text = append(append(text, ' '), k.ref...)
	}
	src.add(append(text, " ] >>"...))
	return src, object.MakeRef(object.Ref{Num: uint32(len(src) - 1)})
}

func idKey(i int) string  { return fmt.Sprintf("<%032x>", uint64(i)*0x9e3779b97) }
func urlKey(i int) string { return fmt.Sprintf("(http://www.example.com/archive/%09d/index.html)", i) }

var spellings = []struct {
	name string
	key  func(int) string
}{{"ids", idKey}, {"urls", urlKey}}

var sizes = []struct {
	name string
	n    int
}{{"n=1e3", 1e3}, {"n=1e5", 1e5}, {"n=1e6", 1e6}}

func BenchmarkRead(b *testing.B) {
	for _, s := range spellings {
		for _, size := range sizes {
			b.Run(s.name+"/"+size.name, func(b *testing.B) {
				src, root := bigTree(size.n, s.key)
				b.ReportAllocs()
				for b.Loop() {
					t, err := Read(src, root, nil)
					if err != nil || t.Len() != size.n || len(t.defects) > 0 {
						b.Fatal(t.Len(), err, t.defects[0])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.n), "ns/entry")
			})
		}
	}
}

// BenchmarkReadDisorder reads trees in which every second entry is less than the one before it: each is a defect,
// and duplicates must be searched for.
func BenchmarkReadDisorder(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			src, root := bigTree(size.n, func(i int) string { return urlKey(i * (size.n/2 + 1) % size.n) })
			b.ReportAllocs()
			for b.Loop() {
				t, err := Read(src, root, nil)
				if err != nil || t.Len() != size.n || t.Ascending() {
					b.Fatal(t.Len(), err)
				}
			}
		})
	}
}

package rewrite

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestEdited: an array loses elements, and gets others in their place. The rest stays as written.
func TestEdited(t *testing.T) {
	list, _, err := object.Parse([]byte("[ 1 0 R  (x) [ 2 ] 3 0 R ]"), 0)
	if err != nil {
		t.Fatal(err)
	}
	elements, _ := list.Array()
	for name, c := range map[string]struct {
		dropped  map[int]bool
		replaced map[int]object.Ref
		want     string
	}{
		"nothing":              {nil, nil, "[1 0 R (x) [ 2 ] 3 0 R]"},
		"the first":            {map[int]bool{0: true}, nil, "[(x) [ 2 ] 3 0 R]"},
		"the last":             {map[int]bool{3: true}, nil, "[1 0 R (x) [ 2 ]]"},
		"all":                  {map[int]bool{0: true, 1: true, 2: true, 3: true}, nil, "[]"},
		"another first":        {nil, map[int]object.Ref{0: {Num: 9}}, "[9 0 R (x) [ 2 ] 3 0 R]"},
		"one and another one":  {map[int]bool{1: true}, map[int]object.Ref{3: {Num: 9}}, "[1 0 R [ 2 ] 9 0 R]"},
		"dropped and replaced": {map[int]bool{0: true}, map[int]object.Ref{0: {Num: 9}}, "[(x) [ 2 ] 3 0 R]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(edited(elements, c.dropped, c.replaced)); got != c.want {
				t.Errorf("it is %s, want %s", got, c.want)
			}
		})
	}
}

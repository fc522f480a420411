package cluster_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Setting a clock during a run does not affect workers and submitters: they compare only times of this process, for
// which Go uses a monotonic clock, unless a time was converted or received. The map lists all comparisons of times,
// with the reason why they are safe.
var comparesTimes = map[string]string{
	"time.Now().Before(j.rest)":  "rest is time.Now of this process, and some more",
	"time.Since(begun)":          "begun is time.Now of this process",
	"time.Since(at)":             "at is time.Now of this process",
	"time.Since(j.moved.at)":     "at is time.Now of this process",
	"time.Since(since)":          "since is time.Now of this process",
	"info.TimeStamp.Sub(m.Time)": "both are of the clock of the servers; less than nothing counts as nothing",
	"info.Created.Equal(j.made)": "both are when the servers made one thing: it is the same, or another",
}

func TestClocksThatAreSet(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	converts := []string{"Unix", "UnixMilli", "UnixMicro", "UnixNano", "UTC", "Local", "In", "Round", "Truncate",
		"AddDate", "Date"}
	compares := []string{"Before", "After", "Compare", "Equal", "Sub", "Since", "Until"}
	used := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			var text bytes.Buffer
			printer.Fprint(&text, fset, call)
			switch {
			case slices.Contains(converts, s.Sel.Name):
				t.Errorf("%s: %s has the time of day", fset.Position(n.Pos()), text.String())
			case slices.Contains(compares, s.Sel.Name) && text.String() != "time.After(d)": // it waits
				used[text.String()] = true
				if comparesTimes[text.String()] == "" {
					t.Errorf("%s: %s compares times: say why it does not matter when a clock is set",
						fset.Position(n.Pos()), text.String())
				}
			}
			return true
		})
	}
	for text := range comparesTimes {
		if !used[text] {
			t.Errorf("nothing has %s", text)
		}
	}
}

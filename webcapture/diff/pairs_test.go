package diff_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the results in testdata/pairs.txtar")

// offset is the place in the file in the text of an error.
var offset = regexp.MustCompile(`offset \d+: `)

// pair is a case of testdata/pairs.txtar.
type pair struct {
	name  string
	lines string              // of the edits
	edits map[string][]string // of base for "A", of the first file for "B"
	want  string
}

func readPairs(t testing.TB) (*txtar.Archive, []pair) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/pairs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var list []pair
	for _, f := range archive.Files {
		p := pair{name: f.Name, edits: map[string][]string{}}
		for line := range strings.Lines(string(f.Data)) {
			side, edit, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if side != "A" && side != "B" {
				p.want += line
				continue
			}
			p.lines += line
			from, to, ok := strings.Cut(strings.ReplaceAll(edit, `\n`, "\n"), " =>")
			if !ok {
				t.Fatalf("%s: no arrow in %s", f.Name, line)
			}
			p.edits[side] = append(p.edits[side], from, strings.TrimPrefix(to, " "))
		}
		list = append(list, p)
	}
	return archive, list
}

// TestPairs compares each pair in both directions, and each file with itself.
func TestPairs(t *testing.T) {
	archive, list := readPairs(t)
	for i, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			a := edit(t, base, tt.edits["A"]...)
			before, after := pdf(t, a), pdf(t, edit(t, a, tt.edits["B"]...))
			res := compare(t, before, after)
			got := offset.ReplaceAllString(text(res), "")
			if *update {
				archive.Files[i].Data = []byte(tt.lines + got)
			} else if got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			back := compare(t, after, before)
			if got, want := lines(back, false), lines(res, true); !slices.Equal(got, want) {
				t.Errorf("the other way round\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for _, data := range [][]byte{before, after} {
				if itself := compare(t, data, data); len(itself.Changes) > 0 {
					t.Errorf("with itself:\n%s", text(itself))
				}
			}
		})
	}
	if *update {
		if err := os.WriteFile("testdata/pairs.txtar", txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

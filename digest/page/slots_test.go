package page

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

// alternatives returns slots with these numbers of choices.
func alternatives(counts ...int) []slot {
	slots := make([]slot, len(counts))
	for i, n := range counts {
		slots[i].choices = make([]choice, n)
	}
	return slots
}

// TestCombinations has the combinations in the order in which they are tried: first all files of the same rank, then
// one file that is not the first alternative, then all combinations.
func TestCombinations(t *testing.T) {
	for i, row := range []struct {
		slots []slot
		want  []string
	}{
		{nil, []string{"[]"}},
		{alternatives(1, 1), []string{"[0 0]"}},
		{alternatives(1, 3), []string{"[0 0]", "[0 1]", "[0 2]", "[0 1]", "[0 2]", "[0 1]", "[0 2]"}},
		{alternatives(2, 3), []string{
			"[0 0]", "[1 1]", "[1 2]",
			"[1 0]", "[0 1]", "[0 2]",
			"[1 0]", "[0 1]", "[1 1]", "[0 2]", "[1 2]",
		}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var got []string
			for choice := range combinations(row.slots) {
				got = append(got, fmt.Sprint(choice))
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("combinations = %q, want %q", got, row.want)
			}
			for most := range row.want { // callers may stop early
				seen := 0
				for range combinations(row.slots) {
					if seen++; seen > most {
						break
					}
				}
			}
		})
	}
}

// TestCombinationsAreCapped counts the combinations that are tried if there are too many.
func TestCombinationsAreCapped(t *testing.T) {
	for _, row := range []struct{ files, want int }{
		{100, maxCombinations},
		{1 << 16, 1 + maxTried>>16},
	} {
		t.Run(fmt.Sprint(row.files), func(t *testing.T) {
			counts := slices.Repeat([]int{2}, row.files)
			n := 0
			for range combinations(alternatives(counts...)) {
				n++
			}
			if n != row.want {
				t.Errorf("of %d files with two alternatives, %d combinations are tried, want %d", row.files, n, row.want)
			}
		})
	}
}

// TestTooMany: tooMany is true only if some combinations are not tried.
func TestTooMany(t *testing.T) {
	most := maxTries(alternatives(2))
	if tooMany(alternatives(most)) || !tooMany(alternatives(most+1)) {
		t.Errorf("of one file %d alternatives are tried, and no more", most)
	}
}

// TestChoicesAreCapped: a file has at most maxChoices alternatives; if there are more, Capped is true.
func TestChoicesAreCapped(t *testing.T) {
	for i, n := range []int{maxChoices, maxChoices + 1, maxChoices, maxChoices + 1} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			failed := i < 2 // of the files, each second one failed
			find := func(string) iter.Seq[File] {
				return func(yield func(File) bool) {
					for i := range n {
						if !yield(File{ID: digest.ID{byte(i)}, Failed: failed && i%2 == 0}) {
							return
						}
					}
				}
			}
			p := New([]byte("<img src=a>"), "text/html", "http://a.example/", find)
			p.Match(digest.ID{0xff})
			if p.Capped() != (n > maxChoices) {
				t.Errorf("%d alternatives: capped: %v", n, p.Capped())
			}
		})
	}
}

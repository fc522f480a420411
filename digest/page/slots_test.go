package page

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

// alternatives returns slots with so many choices.
func alternatives(counts ...int) []slot {
	slots := make([]slot, len(counts))
	for i, n := range counts {
		slots[i].choices = make([]choice, n)
	}
	return slots
}

// TestCombinations has every combination in the order in which it is tried: of one rank, then with one file that
// differs from the first, then all.
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
			for most := range row.want { // who has found one may stop
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

// TestCombinationsAreCapped counts what is tried of more than anybody can try.
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

// TestTooMany: only where some combination is not tried, that is said.
func TestTooMany(t *testing.T) {
	most := maxTries(alternatives(2))
	if tooMany(alternatives(most)) || !tooMany(alternatives(most+1)) {
		t.Errorf("of one file %d alternatives are tried, and no more", most)
	}
}

// TestChoicesAreCapped: of one file so many alternatives are kept, and that there are more is said.
func TestChoicesAreCapped(t *testing.T) {
	for _, n := range []int{maxChoices, maxChoices + 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			find := func(string) iter.Seq[File] {
				return func(yield func(File) bool) {
					for i := range n {
						if !yield(File{ID: digest.ID{byte(i)}}) {
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

package page

import (
	"crypto/md5"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/digest"
)

// slot is the place of one file in the MD5.
type slot struct {
	ref     Reference
	choices []choice // each ID once
}

// choice is a file that may fill a slot, and the identifier by which this file counts in the MD5.
type choice struct {
	file  File
	id    digest.ID
	empty bool // the slot stays empty: no file counts
}

// slots returns the files that count in a reading, and those that were not found.
func (p *Page) slots(r Reading) (slots []slot, missing []Reference) {
	for _, ref := range p.doc.counting(r) {
		s := slot{ref: ref}
		var failed []choice
		for _, f := range p.lookup(ref.URL) {
			id := p.enters(f, ref, r)
			same := func(c choice) bool { return c.id == id }
			switch {
			case len(s.choices)+len(failed) == maxChoices:
				p.capped = true
			case slices.ContainsFunc(s.choices, same) || slices.ContainsFunc(failed, same):
			case f.Failed:
				failed = append(failed, choice{file: f, id: id})
			default:
				s.choices = append(s.choices, choice{file: f, id: id})
			}
		}
		if failed != nil {
			s.choices = append(append(s.choices, choice{empty: true}), failed...)
		}
		if s.choices == nil {
			missing = append(missing, ref)
			continue
		}
		slots = append(slots, s)
	}
	return slots, missing
}

// leftOut returns the references whose files do not count: files that were not found, and slots with an empty choice.
func leftOut(missing []Reference, slots []slot, choice []int) []Reference {
	list := slices.Clip(missing)
	for i, s := range slots {
		if s.choices[choice[i]].empty {
			list = append(list, s.ref)
		}
	}
	return list
}

// signature returns a hash of all that affects the identifiers that a reading can give. Readings with the same
// signature give the same identifiers.
func signature(r Reading, slots []slot) digest.ID {
	h := md5.New()
	if len(slots) > 0 {
		io.WriteString(h, r.Encoding.String())
	}
	for _, s := range slots {
		io.WriteString(h, "\x00"+s.ref.URL)
		for _, c := range s.choices {
			if c.empty {
				h.Write([]byte{2})
			} else {
				h.Write(append(c.id[:], 1))
			}
		}
	}
	return digest.ID(h.Sum(nil))
}

// maxTries is the maximum number of combinations to try.
func maxTries(slots []slot) int { return min(maxCombinations, 1+maxTried/max(len(slots), 1)) }

// tooMany reports whether there are more combinations than the limit.
func tooMany(slots []slot) bool {
	n, most := 1, maxTries(slots)
	for _, s := range slots {
		if n *= len(s.choices); n > most {
			return true
		}
	}
	return false
}

// combinations yields combinations of alternatives, as an index for each slot. First alternatives come first. The
// yielded slice is reused.
func combinations(slots []slot) func(yield func([]int) bool) {
	most, several := 1, []int{} // the slots with more than one alternative
	for i, s := range slots {
		if most = max(most, len(s.choices)); len(s.choices) > 1 {
			several = append(several, i)
		}
	}
	return func(yield func([]int) bool) {
		choice, left := make([]int, len(slots)), maxTries(slots)
		try := func() bool { left--; return left >= 0 && yield(choice) }
		for rank := range most {
			for _, i := range several {
				choice[i] = min(rank, len(slots[i].choices)-1)
			}
			if !try() {
				return
			}
		}
		clear(choice)
		for _, i := range several {
			for j := 1; j < len(slots[i].choices); j++ {
				choice[i] = j
				if !try() {
					return
				}
			}
			choice[i] = 0
		}
		// Now choice is all zero. Count up, the first slot fastest. This repeats the combinations tried above, which
		// is cheaper than remembering them.
		for at := 0; at < len(several); {
			i := several[at]
			if choice[i]++; choice[i] == len(slots[i].choices) {
				choice[i] = 0
				at++
				continue
			}
			if at = 0; !try() {
				return
			}
		}
	}
}

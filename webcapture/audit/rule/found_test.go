package rule

import (
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
)

// The message about a cut list is right for any numbers.
func TestCounted(t *testing.T) {
	for _, tt := range []struct {
		findings, unread int
		want             string
	}{
		{0, 0, ""},
		{1, 0, "1 finding is only counted"},
		{2, 0, "2 findings are only counted"},
		{0, 1, "1 part that could not be checked is only counted"},
		{0, 2, "2 parts that could not be checked are only counted"},
		{1, 1, "1 finding and 1 part that could not be checked are only counted"},
		{2, 3, "2 findings and 3 parts that could not be checked are only counted"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			f := Found{omittedUnread: tt.unread}
			f.omit(&Rule{}, tt.findings)
			if got := f.Counted(); got != tt.want {
				t.Errorf("Counted() = %q, want %q", got, tt.want)
			}
		})
	}
}

// numbered returns a finding of a rule on a page.
func numbered(r *Rule, page int) Finding {
	return Finding{Rule: r, Place: Place{Page: page}, Message: fmt.Sprint(page)}
}

// Cut keeps the first findings of each  Findings of a rule with fewer than the limit are not beyond it, wherever
// they are.
func TestCut(t *testing.T) {
	many, full, few := &Rule{ID: "WC101"}, &Rule{ID: "WC102"}, &Rule{ID: "WC103"}
	var f Found
	for i := range MaxOfRule + 5 {
		f.Findings = append(f.Findings, numbered(many, MaxOfRule+5-i))
		f.Unread = append(f.Unread, Unread{Place: Place{Page: MaxOfRule + 5 - i}, Err: errors.New("unreadable")})
	}
	for i := range MaxOfRule {
		f.Findings = append(f.Findings, numbered(full, i+1))
	}
	for i := range 3 {
		f.Findings = append(f.Findings, numbered(few, i+1))
	}
	total := f.Total()
	for range 2 { // the second time has no effect
		f.Cut()
		counts := map[*Rule]int{}
		for _, g := range f.Findings {
			counts[g.Rule]++
			if g.Place.Page > MaxOfRule {
				t.Errorf("page %d is kept", g.Place.Page)
			}
		}
		if counts[many] != MaxOfRule || counts[full] != MaxOfRule || counts[few] != 3 || len(f.omitted) != 1 ||
			f.omitted[many] != 5 || len(f.Unread) != MaxOfRule || f.omittedUnread != 5 || f.Total() != total {
			t.Errorf("kept %v, omitted %v, %d unread, %d omitted, total %d of %d", counts, f.omitted, len(f.Unread),
				f.omittedUnread, f.Total(), total)
		}
		if n := len(f.Findings) + len(f.Unread); f.grow < 2*n { // each finding is sorted a few times only
			t.Errorf("the lists are cut again at %d after they had %d", f.grow, n)
		}
		if last := f.Unread[MaxOfRule-1].Place.Page; last != MaxOfRule {
			t.Errorf("the last unread part is on page %d, want %d", last, MaxOfRule)
		}
	}
	for r, want := range map[*Rule]bool{many: true, full: true, few: false} {
		t.Run(r.ID, func(t *testing.T) {
			if got := f.isBeyond(numbered(r, MaxOfRule+1)); got != want {
				t.Errorf("isBeyond = %t, want %t", got, want)
			}
			if f.isBeyond(numbered(r, 0)) {
				t.Error("a finding before all others is beyond them")
			}
			for message, later := range map[string]bool{"0": false, fmt.Sprint(MaxOfRule): true, "2": true} {
				g := numbered(r, MaxOfRule)
				if g.Message = message; f.isBeyond(g) != (want && later) {
					t.Errorf("isBeyond = %t for the message %s at the last place", !later, message)
				}
			}
		})
	}
}

// Merge adds everything, the counts of omitted parts included.
func TestMerge(t *testing.T) {
	a, b := &Rule{ID: "WC101"}, &Rule{ID: "WC102"}
	part := func(findings, unread, omitted int) *Found {
		f := &Found{omittedUnread: omitted}
		for i := range findings {
			f.Findings = append(f.Findings, numbered(a, i))
		}
		for range unread {
			f.Unread = append(f.Unread, Unread{Err: errors.New("unreadable")})
		}
		f.omit(b, omitted)
		return f
	}
	var all Found
	for _, f := range []*Found{part(0, 0, 0), part(2, 1, 3), part(0, 2, 0), part(4, 0, 5)} {
		all.Merge(f)
	}
	if len(all.Findings) != 6 || len(all.Unread) != 3 || all.omitted[b] != 8 || all.omittedUnread != 8 ||
		all.Total() != 25 {
		t.Errorf("%d findings, %d unread, omitted %v and %d, total %d", len(all.Findings), len(all.Unread), all.omitted,
			all.omittedUnread, all.Total())
	}
}

// A file that exceeds its meter is one unread part. Any other error stays one.
func TestNoteOver(t *testing.T) {
	var list []Unread
	disk := errors.New("the disk")
	for err, want := range map[error]error{nil: nil, disk: disk, meter.Over{}: nil} {
		if got := NoteOver(&list, err); got != want {
			t.Errorf("NoteOver(%v) = %v, want %v", err, got, want)
		}
	}
	if NoteOver(&list, fmt.Errorf("again: %w", meter.Over{})) != nil || len(list) != 1 || list[0].Place.Part != "file" {
		t.Errorf("unread parts %v, want one about the file", list)
	}
}

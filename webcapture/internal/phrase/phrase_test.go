package phrase

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The line says which trees exist, and counts content sets if there are any.
func TestContents(t *testing.T) {
	for _, tt := range []struct {
		rep  audit.Report
		want string
	}{
		{audit.Report{}, "no Web Capture content database"},
		{audit.Report{Unread: make([]rule.Unread, 1)}, "no Web Capture content database in what could be read"},
		{audit.Report{Facts: webcapture.Facts{Present: true}}, "no URLS, no IDS, only traces of a database"},
		{audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true}}, "0 URLS, no IDS, no content sets"},
		{audit.Report{Facts: webcapture.Facts{Present: true, HasIDS: true, IDS: 2}}, "no URLS, 2 IDS, no content sets"},
		{audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true, URLS: 3, HasIDS: true, IDS: 2},
			Counts: audit.Counts{PageSets: 1}},
			"3 URLS, 2 IDS, 1 page set"},
		{audit.Report{Facts: webcapture.Facts{Present: true}, Counts: audit.Counts{PageSets: 2, ImageSets: 1, OtherSets: 3}},
			"no URLS, no IDS, 2 page sets, 1 image set, 3 other content sets"},
		{audit.Report{Facts: webcapture.Facts{Present: true},
			Counts: audit.Counts{ImageSets: 1, Digests: audit.Digests{Verified: 1}}},
			"no URLS, no IDS, 1 image set, 1 of 1 images match their ID"},
	} {
		if got := Contents(&tt.rep); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// With sources, the identities describe images that could not be checked by their data alone. Images that differ are
// always counted.
func TestDigests(t *testing.T) {
	const v1, d1, v1d1 = "1 of 1 images match their ID", "0 of 1 images match their ID, 1 differs",
		"1 of 2 images match their ID, 1 differs"
	for _, tt := range []struct {
		verified, differ, unchecked int
		alone, withSources          string
	}{
		{0, 0, 0, "", ""},
		{1, 0, 0, v1, v1},
		{0, 1, 0, d1, d1},
		{1, 1, 0, v1d1, v1d1},
		{0, 0, 1, "1 image not checkable", ""},
		{0, 0, 2, "2 images not checkable", ""},
		{1, 0, 1, "1 of 2 images match their ID, 1 not checkable", ""},
		{0, 1, 1, "0 of 2 images match their ID, 1 differs, 1 not checkable",
			"0 of 2 images match their ID, 1 differs, 1 not checkable"},
		{3, 2, 4, "3 of 9 images match their ID, 2 differ, 4 not checkable",
			"3 of 9 images match their ID, 2 differ, 4 not checkable"},
	} {
		var rep audit.Report
		rep.Digests = audit.Digests{Verified: tt.verified, Differ: tt.differ, Unchecked: tt.unchecked}
		if got := digests(&rep); got != tt.alone {
			t.Errorf("%d, %d, %d: got %q, want %q", tt.verified, tt.differ, tt.unchecked, got, tt.alone)
		}
		rep.Identities = []rule.Identity{}
		if got := digests(&rep); got != tt.withSources {
			t.Errorf("%d, %d, %d with sources: got %q, want %q", tt.verified, tt.differ, tt.unchecked, got, tt.withSources)
		}
	}
}

// numbered returns n texts, each with the number of its item.
func numbered(n int, format string) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf(format, i+1))
	}
	return list
}

// Lines show five notices, and then the number of the remaining ones. Notices returns all, unchanged.
func TestNotices(t *testing.T) {
	const repaired = "read without the file's own cross-reference data"
	const structure = "structure: "
	for _, tt := range []struct {
		n    int
		more []string
	}{
		{0, nil},
		{1, nil},
		{5, nil},
		{6, []string{"… and 1 more; --format json lists all"}},
		{12, []string{"… and 7 more; --format json lists all"}},
	} {
		rep := audit.Report{Facts: webcapture.Facts{Notices: numbered(tt.n, "\xff %d")}}
		all, lines := numbered(tt.n, "\xff %d"), append(numbered(min(tt.n, 5), structure+`\xff %d`), tt.more...)
		if got := Notices(&rep); !slices.Equal(got, all) {
			t.Errorf("%d notices: got %q, want %q", tt.n, got, all)
		}
		if got := NoticeLines(&rep); !slices.Equal(got, lines) {
			t.Errorf("lines of %d notices: got %q, want %q", tt.n, got, lines)
		}
		rep.WithoutXRef = true
		if got, want := Notices(&rep), slices.Concat([]string{repaired}, all); !slices.Equal(got, want) {
			t.Errorf("%d notices of a repaired file: got %q, want %q", tt.n, got, want)
		}
		if got, want := NoticeLines(&rep), slices.Concat([]string{structure + repaired}, lines); !slices.Equal(got, want) {
			t.Errorf("lines of %d notices of a repaired file: got %q, want %q", tt.n, got, want)
		}
	}
}

// Lines show 20 unread parts, and then the number of the remaining ones. Each part is one printable line.
func TestUnreadLines(t *testing.T) {
	for _, tt := range []struct {
		n    int
		more []string
	}{
		{0, nil},
		{20, nil},
		{21, []string{"… and 1 more part; --format json lists all"}},
		{25, []string{"… and 5 more parts; --format json lists all"}},
	} {
		var rep audit.Report
		for _, part := range numbered(tt.n, "part\xff %d") {
			rep.Unread = append(rep.Unread, rule.Unread{Place: rule.Place{Part: part}, Err: errors.New("two\nlines\a")})
		}
		want := append(numbered(min(tt.n, 20), `could not check part\xff %d: two; lines\x07`), tt.more...)
		if got := UnreadLines(&rep); !slices.Equal(got, want) {
			t.Errorf("%d parts: got %q, want %q", tt.n, got, want)
		}
	}
}

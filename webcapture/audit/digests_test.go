package audit

import (
	"crypto/md5"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestDigests makes sure that the report counts images by what their data say
// of their identifiers, and only when that was checked.
func TestDigests(t *testing.T) {
	digest, ok := Lookup("WC511")
	if !ok {
		t.Fatal("no rule WC511")
	}
	for _, row := range []struct {
		file string
		want [3]int
	}{
		{"WC511-exchanged", [3]int{rule.Verified: 0, rule.Mismatch: 2, rule.NotCheckable: 1}},
		{"ok-WC511-verified", [3]int{rule.Verified: 1, rule.Mismatch: 0, rule.NotCheckable: 2}},
		{"WC504-mask", [3]int{rule.NotCheckable: 1}}, // the mask is not an image of its own
		{"WC505-image", [3]int{rule.NotCheckable: 1}},
	} {
		t.Run(row.file, func(t *testing.T) {
			c, err := readCase(filepath.Join(caseDir, row.file+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			data := c.pdf(t, packedLayout)
			for _, rules := range [][]*rule.Rule{nil, {digest}, {checks.ImageCount}} {
				rep := auditBytes(t, data, Options{Rules: rules})
				got := [3]int{rule.Verified: rep.Digests.Verified, rule.Mismatch: rep.Digests.Differ,
					rule.NotCheckable: rep.Digests.Unchecked}
				want := row.want
				if len(rules) == 1 && rules[0] != digest {
					want = [3]int{}
				}
				if got != want {
					t.Errorf("%v: verified, different and NotCheckable: %d, %d, %d, want %d, %d, %d", rules,
						got[rule.Verified], got[rule.Mismatch], got[rule.NotCheckable], want[rule.Verified],
						want[rule.Mismatch], want[rule.NotCheckable])
				}
			}
		})
	}
}

// TestPaddedImages: white space after the end-of-image marker may be that of the file or of a tool, so the MD5 with or
// without it is a match.
func TestPaddedImages(t *testing.T) {
	const jpeg = "data\xff\xd9"
	for _, row := range []struct {
		data, file string
		want       string // what the finding says; empty for a match
	}{
		{jpeg, jpeg, ""},
		{jpeg + "\r\n", jpeg, ""},
		{jpeg + "\r\n", jpeg + "\r\n", ""},
		{jpeg + strings.Repeat("\x00", 64), jpeg, ""},
		{jpeg + strings.Repeat(" ", 65), jpeg, "give --from, or choose with --prefer data"},
		{jpeg + "\n", jpeg + "\r\n", "white space after the end-of-image marker makes two MD5s possible; give --from"},
		{"data\n", "data", "give --from, or choose with --prefer data"},
		{jpeg + "x\n", jpeg, "give --from, or choose with --prefer data"},
		{strings.Repeat(jpeg+"\n", 1<<14), strings.TrimSpace(strings.Repeat(jpeg+"\n", 1<<14)), ""},
		{"\n", "", "give --from, or choose with --prefer data"},
	} {
		id := fmt.Sprintf("<%x>", md5.Sum([]byte(row.file)))
		rep := auditText(t, "names: << /IDS << /Names [ "+id+" 7 0 R ] >> >>\n7 0 obj << /S /SIS /ID "+id+
			" /O [ 8 0 R ] /R [ 0 ] /SI << /AU (http://a.example/) >> >>\n8 0 obj << /Subtype /Image /Filter /DCTDecode /ID "+id+
			" >> stream\n"+row.data+"\nendstream\n", plainLayout, Options{Rules: Select("WC511")})
		got := ""
		for _, f := range rep.Findings {
			got += f.Message
		}
		if (got == "") != (row.want == "") || !strings.HasSuffix(got, row.want) {
			t.Errorf("%.20q with the MD5 of %.20q: %q, want %q", row.data, row.file, got, row.want)
		}
	}
}

// An image that several content sets list is counted once.
func TestDigestsOfSharedImages(t *testing.T) {
	image := func(id string) string {
		return " << /Subtype /Image /Filter /DCTDecode /ID " + id + " >> stream\nx\nendstream\n"
	}
	rep := auditText(t, "names: << /IDS << /Names [ "+idA+" 5 0 R "+idB+" 7 0 R ] >> >>\n5 0 obj << /S /SIS /ID "+idA+" /O [ 8 0 R 9 0 R ] >>\n7 0 obj << /S /SIS /ID "+idB+" /O [ 8 0 R ] >>\n8 0 obj"+image(idA)+"9 0 obj"+image(idA), plainLayout, Options{})
	if rep.Digests.Differ != 2 || rep.Digests.Verified != 0 || rep.Digests.Unchecked != 0 {
		t.Errorf("%d images differ, %d do not, %d are not known, want 2", rep.Digests.Differ, rep.Digests.Verified,
			rep.Digests.Unchecked)
	}
}

// An audit that goes over its budget knows no identities, and does not claim any.
func TestIdentitiesOverBudget(t *testing.T) {
	data := webcapturetest.Sets(50, webcapturetest.Options{Images: 2}).Bytes(plainLayout)
	rep := auditBytes(t, data, Options{Source: noSource, budget: 1})
	if rep.Identities == nil || len(rep.Identities) != 0 || len(rep.Unread) == 0 {
		t.Errorf("%d identities, nil: %v, %d parts unread; want none, not nil, and the reason", len(rep.Identities),
			rep.Identities == nil, len(rep.Unread))
	}
	if rep := auditBytes(t, data, Options{Source: noSource}); len(rep.Identities) != 75 {
		t.Errorf("%d identities, want one for each of 75 sets", len(rep.Identities))
	}
}

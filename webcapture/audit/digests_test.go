package audit

import (
	"path/filepath"
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
				got := [3]int{rule.Verified: rep.DigestsVerified, rule.Mismatch: rep.DigestsDiffer,
					rule.NotCheckable: rep.DigestsUnchecked}
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

// An image that several content sets list is counted once.
func TestDigestsOfSharedImages(t *testing.T) {
	image := func(id string) string {
		return " << /Subtype /Image /Filter /DCTDecode /ID " + id + " >> stream\nx\nendstream\n"
	}
	rep := auditText(t, "names: << /IDS << /Names [ "+idA+" 5 0 R "+idB+" 7 0 R ] >> >>\n5 0 obj << /S /SIS /ID "+idA+" /O [ 8 0 R 9 0 R ] >>\n7 0 obj << /S /SIS /ID "+idB+" /O [ 8 0 R ] >>\n8 0 obj"+image(idA)+"9 0 obj"+image(idA), plainLayout, Options{})
	if rep.DigestsDiffer != 2 || rep.DigestsVerified != 0 || rep.DigestsUnchecked != 0 {
		t.Errorf("%d images differ, %d do not, %d are not known, want 2", rep.DigestsDiffer, rep.DigestsVerified,
			rep.DigestsUnchecked)
	}
}

// An audit that goes over its budget knows no identities, and does not claim any.
func TestIdentitiesOverBudget(t *testing.T) {
	data := webcapturetest.Sets(50, webcapturetest.Options{Images: 2}).Bytes(plainLayout)
	rep := auditBytes(t, data, Options{Embedded: true, budget: 1})
	if rep.Identities == nil || len(rep.Identities) != 0 || len(rep.Unread) == 0 {
		t.Errorf("%d identities, nil: %v, %d parts unread; want none, not nil, and the reason", len(rep.Identities),
			rep.Identities == nil, len(rep.Unread))
	}
	if rep := auditBytes(t, data, Options{Embedded: true}); len(rep.Identities) != 75 {
		t.Errorf("%d identities, want one for each of 75 sets", len(rep.Identities))
	}
}

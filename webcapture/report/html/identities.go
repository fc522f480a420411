package html

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// identityRow is a content set that was compared with its source.
type identityRow struct {
	Proof, Class         string // result, and its style class
	Kind, URL, ID, Place string
	Evidence             string
}

// addIdentities adds the content sets that were compared with sources. Mismatches come first.
func (h *fileSection) addIdentities(rep *audit.Report) {
	for _, proof := range []rule.Proof{rule.Mismatch, rule.NotCheckable, rule.Verified} {
		for i := range rep.Identities {
			id := &rep.Identities[i]
			switch {
			case id.Proof != proof:
			case len(h.Identities) < maxSets:
				h.Identities = append(h.Identities, newIdentityRow(id))
			default:
				h.IdentitiesLeft++
			}
		}
	}
}

func newIdentityRow(id *rule.Identity) identityRow {
	parts := []string{id.Where, id.Reading, id.Reason, id.Evidence()}
	if id.Text != "" {
		parts = append(parts, "text identifier: "+id.Text)
	}
	out := identityRow{
		Proof: id.Proof.String(), Class: proofClass(id.Proof.String()), Kind: id.Subtype.String(),
		URL: urlText(string(id.URL)), Place: layout.Printable(id.Place.String()),
		Evidence: layout.Printable(strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")),
	}
	if id.ID != "" {
		out.ID = id.ID.String()
	}
	return out
}

// proofClass returns the style class for a proof.
func proofClass(proof string) string { return "is-" + strings.ReplaceAll(proof, " ", "-") }

// urlText returns a URL, or a part of one, on one printable line.
func urlText(url string) string {
	if len(url) == utf8.RuneCountInString(url) && layout.Printable(url) == url {
		return url // printable ASCII needs no parentheses
	}
	return nametree.Key(url).String()
}

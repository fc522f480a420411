package checks

// IDs of content sets compared with sources (14.10.3.3).

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setIdentity = &rule.Rule{
	ID:      "WC512",
	Title:   "The ID of an image set is the digital identifier of its source.",
	Problem: "Image sets that do not match their source",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "The identifier of an image is the MD5 of the retrieved file. webcap checks it if you give sources with " +
		"--source. A verified ID proves that the source is what was captured. webcap reports a difference only if " +
		"each capture of the URL in the sources is complete, and of the day of the content set. Page sets are " +
		"verified or not checkable, because the standard leaves open which files their identifiers cover.",
	Repair:        "None: the ID or the image is not what was captured.",
	CheckIdentity: checkIdentity,
}

func checkIdentity(p *rule.Pass, i *rule.Identity) {
	if i.Proof == rule.Mismatch {
		p.Reportf(i.Place, nil, "ID %v does not match %s: %s", i.ID, i.Where, i.Reason)
	}
}

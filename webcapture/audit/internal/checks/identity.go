package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setIdentity = &rule.Rule{
	ID:      "WC512",
	Title:   "The ID of a content set is the digital identifier of its source.",
	Problem: "Content sets that do not match their source",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Warning,
	Doc: "The identifier is the MD5 of the retrieved file. For a page, it also covers the identifiers of the files " +
		"that the page refers to. webcap checks it if you give sources with --source. A verified ID proves that " +
		"the source is what was captured. If the ID differs, the source may also have been stored on another day, " +
		"or not as it was sent. So this is a warning. Where the standard is ambiguous, webcap tries every reading. " +
		"Page sets by Acrobat 9 and later follow none of them. They cannot be checked, unless their source is an " +
		"image or a PDF file.",
	Repair:        "None: the source may have changed since the capture.",
	CheckIdentity: checkIdentity,
}

func checkIdentity(p *rule.Pass, i *rule.Identity) {
	if i.Proof == rule.Mismatch {
		p.Reportf(i.Place, nil, "ID %v does not match %s: %s", i.ID, i.Where, i.Reason)
	}
}

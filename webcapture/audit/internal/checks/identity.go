package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setIdentity = &rule.Rule{
	ID:      "WC512",
	Title:   "The ID of a content set is the digital identifier of its source.",
	Problem: "Content sets do not match their source",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Warning,
	Strict:  rule.Error,
	Doc: "It is the MD5 of the file that was retrieved; for a page, of that and of the identifiers of the files " +
		"that it refers to. This is checked where sources are given, with --source. An ID that is verified " +
		"proves that the source is what was captured. One that differs may also mean that the source was " +
		"stored on another day, or not as it was sent; so this is a warning. What the standard leaves open " +
		"is tried in every reading. Page sets by Acrobat 9 and later follow none of them, and are not " +
		"checkable, unless their source is an image or a PDF file.",
	Repair:        "None: the source may have changed since the capture.",
	CheckIdentity: checkIdentity,
}

func checkIdentity(p *rule.Pass, i *rule.Identity) {
	if i.Proof == rule.Mismatch {
		p.Reportf(i.Place, nil, "the ID %v is not that of %s: %s", i.ID, i.Where, i.Reason)
	}
}

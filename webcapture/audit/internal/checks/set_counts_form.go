package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var SetCountsForm = &rule.Rule{
	ID:      "WC419",
	Title:   "R of an image set with one image is an integer.",
	Problem: "Image sets with one image and an array of counts",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Note,
	Strict:  rule.Error,
	Doc: "The array is for several images. Acrobat also writes one for a single image, so every reader has to " +
		"accept it. webcap reports it only with --strict.",
	Repair:   "None.",
	CheckSet: checkSetCountsForm,
}

func checkSetCountsForm(p *rule.Pass, s *rule.Set) {
	if p.Rule.Level != p.Rule.Strict {
		return // otherwise all image sets of Acrobat would be reported
	}
	c, ok := p.Counts(s)
	if ok && c.IsArray && c.Images == 1 && c.List.Len() == 1 {
		p.Reportf(s.At(), nil, "R is an array, but O has one image; expected an integer")
	}
}

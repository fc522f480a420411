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
	Doc: "The array is for several images. Acrobat also writes one for a single image, so every reader has to " +
		"accept it, and webcap does not report it.",
	Repair:   "None.",
	CheckSet: checkSetCountsForm,
}

// checkSetCountsForm reports nothing: otherwise all image sets of Acrobat would be reported.
func checkSetCountsForm(*rule.Pass, *rule.Set) {}

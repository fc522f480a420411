package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var Signature = &rule.Rule{
	ID:      "WC532",
	Title:   "The document is not signed.",
	Problem: "Signed document",
	Clause:  "ISO 32000-2:2020, 12.8 and 7.5.6",
	Level:   rule.Note,
	Doc: "A signature covers the bytes of the file. Rewriting the content database in place breaks it. An " +
		"incremental update keeps it valid, if the certification allows changes at all.",
	Repair:        "None: a rewrite has to be an incremental update, or stop.",
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckDocument: checkSignature,
}

func checkSignature(p *rule.Pass, _ *rule.Document) {
	first, n, certified := signedFields(p)
	switch {
	case certified:
		p.Reportf(rule.Place{Part: "Perms"}, nil,
			"the document is certified: only an incremental update keeps the certification")
	case n == 1:
		p.Reportf(rule.Place{Part: "AcroForm"}, nil,
			"the document is signed in the field %v: only an incremental update keeps the signature", first)
	case n > 1:
		p.Reportf(rule.Place{Part: "AcroForm"}, nil,
			"the document is signed in %d fields, the first is %v: only an incremental update keeps the signatures", n, first)
	}
}

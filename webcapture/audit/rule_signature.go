package audit

var signature = &Rule{
	ID:      "WC532",
	Title:   "The document is not signed.",
	Problem: "The document is signed",
	Clause:  "ISO 32000-2:2020, 12.8 and 7.5.6",
	Level:   Note,
	Doc: "A signature covers the bytes of the file. Rewriting the content database in place breaks it; an " +
		"incremental update keeps it valid, as far as a certification allows changes at all.",
	Repair:        "None: a rewrite has to be an incremental update, or stop.",
	MayFollow:     []Action{Rebuild},
	CheckDocument: checkSignature,
}

func checkSignature(p *Pass, _ *Document) {
	first, n, certified := p.signatures()
	switch {
	case certified:
		p.Reportf(Place{Part: "Perms"}, nil, "the document is certified: a rewrite that is not an incremental update breaks that")
	case n == 1:
		p.Reportf(Place{Part: "AcroForm"}, nil, "the document is signed, in the field %v: a rewrite that is not an incremental update breaks that", first)
	case n > 1:
		p.Reportf(Place{Part: "AcroForm"}, nil, "the document is signed, in %d fields, the first being %v: a rewrite that is not an incremental update breaks that", n, first)
	}
}

package checks

// The whole document: its signatures (12.8) and its PDF version (14.10.1).

import (
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
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

var VersionOld = &rule.Rule{
	ID:      "WC607",
	Title:   "The PDF version of a file has Web Capture, and does not deprecate it.",
	Problem: "Web Capture in a PDF version that lacks or deprecates it",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   rule.Note,
	Doc: "Web Capture was introduced with PDF 1.3, and PDF 2.0 deprecates it. The standard forbids it in no file: " +
		"readers ignore entries that they do not know.",
	Repair:    "None: the version is in the header of the file.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkVersionOld,
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

// signedFields returns the first signed field, the number of signed fields, and whether a signature certifies the
// document (12.8.4).
func signedFields(p *rule.Pass) (first object.Ref, n int, certified bool) {
	for f := range formFields(p) {
		at := rule.Place{Object: f.ref}
		if kind, _ := p.Look(at, f.kind); !kind.IsName("Sig") {
			continue
		}
		value, _ := p.Look(at, f.dict.Lookup("V"))
		if d, _ := value.Dict(); d.Lookup("ByteRange").IsNull() {
			continue
		}
		if n++; n == 1 {
			first = f.ref
		}
	}
	perms, _ := p.Look(rule.Place{Part: "Perms"}, p.DB.Catalog.Lookup("Perms"))
	d, _ := perms.Dict()
	return first, n, !d.Lookup("DocMDP").IsNull()
}

func checkVersionOld(p *rule.Pass, _ *rule.Info) {
	if !p.DB.Present() {
		return
	}
	switch major, minor := PDFVersion(p); {
	case major == 1 && minor < 3:
		p.Reportf(rule.Place{}, nil, "Web Capture in a file of PDF version %s, expected 1.3 or later (14.10.1)", p.DB.Version)
	case major >= 2:
		p.Reportf(rule.Place{}, nil, "Web Capture in a file of PDF version %s, which deprecates it (14.10.1)", p.DB.Version)
	}
}

// PDFVersion returns the PDF version of the file; 0, 0 if it is invalid.
func PDFVersion(p *rule.Pass) (major, minor int) {
	a, b, _ := strings.Cut(p.DB.Version, ".")
	major, err1 := strconv.Atoi(a)
	minor, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil {
		return 0, 0
	}
	return major, minor
}

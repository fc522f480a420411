package audit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// document returns a PDF with one captured page, under a key that is not canonical.
func document() []byte {
	d, err := webcapturetest.Parse(`
		names: << /URLS << /Names [ (HTTP://a.example/) 5 0 R ] >> /IDS << /Names [ <00112233445566778899aabbccddeeff> 5 0 R ] >> >>
		spiderinfo: << /V 1.25 >>
		5 0 obj << /S /SPS /ID <00112233445566778899aabbccddeeff> /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>
		6 0 obj << /Type /Page /ID <00112233445566778899aabbccddeeff> >>`)
	if err != nil {
		log.Fatal(err)
	}
	return d.Bytes(webcapturetest.Layout{})
}

// Programs that have a file call File("site.pdf", …).
func Example() {
	rep, err := audit.Bytes(context.Background(), "site.pdf", document(), audit.Options{})
	if err != nil {
		log.Fatal(err) // the file cannot be read
	}
	switch {
	case !rep.Present:
		fmt.Println("there is nothing of Web Capture in the file")
	case len(rep.Unread) > 0:
		fmt.Println("not everything could be checked")
	}
	for _, f := range rep.Findings {
		fmt.Println(f)
		if f.Fix != nil {
			fmt.Println("would be right:", f.Fix.New)
		}
	}
	// Output:
	// URLS, entry 1: error: key (HTTP://a.example/) is not canonical: step c would lower-case the scheme; expected (http://a.example/) [WC204]
	// would be right: (http://a.example/)
}

// The levels of findings say whether a file is good enough.
func ExampleReport_Worst() {
	rep, err := audit.Bytes(context.Background(), "site.pdf", document(), audit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rep.Worst() >= rule.Error, rep.Count(rule.Error), rep.Count(rule.Warning))
	// Output: true 1 0
}

// Select finds the rules of a group by its name, and a single rule by its ID.
func ExampleSelect() {
	opt := audit.Options{Rules: append(audit.Select("trees"), audit.Select("WC204")...)}
	rep, err := audit.Bytes(context.Background(), "site.pdf", document(), opt)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range rep.Findings {
		fmt.Println(f.Rule.ID, f.Rule.Title)
	}
	// Output: WC204 URLS keys are canonical: steps b to g do not change them.
}

// A file is clean only if it has a content database, and all of it could be checked.
func ExampleReport() {
	rep, err := audit.Bytes(context.Background(), "site.pdf", document(), audit.Options{Rules: audit.Select("sets")})
	if err != nil {
		log.Fatal(err)
	}
	clean := rep.Present && len(rep.Unread) == 0 && len(rep.Findings) == 0
	fmt.Println(rep.URLS, "key of URLS,", rep.PageSets, "page set, clean:", clean)
	// Output: 1 key of URLS, 1 page set, clean: true
}

func ExampleLookup() {
	rule, ok := audit.Lookup("WC204")
	fmt.Println(ok, rule.Title)
	// Output: true URLS keys are canonical: steps b to g do not change them.
}

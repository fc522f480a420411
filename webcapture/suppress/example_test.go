package suppress_test

import (
	"context"
	"fmt"
	"log"
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

// Findings that match an entry are set aside with the reason, and the others stay.
func Example() {
	const path = "../../testdata/site-optimized.pdf"
	root, err := filepath.Abs("../../testdata")
	if err != nil {
		log.Fatal(err)
	}
	filter, err := suppress.New(suppress.Options{
		Entries: []suppress.Entry{
			{Where: "entry 1", Rules: []string{"WC303"}, Path: "site-optimized.pdf", Reason: "optimized on purpose"},
		},
		Root: root,
	})
	if err != nil {
		log.Fatal(err)
	}
	rep, err := audit.File(context.Background(), path, audit.Options{})
	if err != nil {
		log.Fatal(err)
	}
	rec := &report.Record{Path: path, Report: rep}
	filter.Apply(rec)
	fmt.Println(len(rep.Findings), "left,", len(rec.Ignored), "set aside:", rec.Ignored[0].Reason)
	// Output:
	// 1 left, 6 set aside: optimized on purpose
}

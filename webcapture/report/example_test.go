package report_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// The results of an audit in one of the formats.
func Example() {
	w := report.Markdown.New(os.Stdout, report.Options{})

	const path = "../../testdata/site.pdf"
	rep, err := audit.File(context.Background(), path, audit.Options{})
	err = errors.Join(w.Add(&report.Record{Path: "site.pdf", Report: rep, Err: err}), w.Close(report.Complete))
	fmt.Println(err)
	// Output:
	// # Web Capture audit
	//
	//     site.pdf: 6 URLS, 6 IDS, 3 page sets, 3 image sets, 3 of 3 images match their ID: clean
	//
	// <nil>
}

package batch_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// One record for each input, in the order of the inputs: a file that is not there has one, too.
func Example() {
	inputs := batch.Inputs(slices.Values([]string{"../../testdata/site*.pdf", "gone.pdf"}), batch.PathOptions{})
	for rec := range batch.Run(context.Background(), inputs, batch.Options{}) {
		switch {
		case rec.Err != nil:
			fmt.Println(rec.Path, rec.Outcome(), "because:", rec.Reason())
		default:
			fmt.Println(rec.Path, rec.Outcome(), len(rec.Report.Findings))
		}
	}
	// Output:
	// ../../testdata/site-optimized.pdf findings 7
	// ../../testdata/site.pdf clean 0
	// gone.pdf error because: no such file or directory
}

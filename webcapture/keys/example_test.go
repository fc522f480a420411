package keys_test

import (
	"context"
	"fmt"
	"log"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/keys"
)

// The wrong keys of a file that pdfcpu optimize has written.
func Example() {
	f, err := webcapture.Open(context.Background(), "../../testdata/site-optimized.pdf", webcapture.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		log.Fatal(err)
	}
	rep, err := audit.Run(f, audit.Options{Database: db, Keys: true})
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for row, err := range keys.Of(f, db, rep).Rows() {
		if err != nil {
			log.Fatal(err)
		}
		if row.Verdict == keys.Right {
			right++
		}
		if row.Verdict == keys.Wrong && row.Page == 1 {
			fmt.Println(row.Key, "should be", row.Expected)
		}
	}
	fmt.Println(right, "URLS are right")
	// Output:
	// <cb99efbfbd6ccb9d28efac8261c38cc381c2b83be280a26c516f31> should be <1b166c1c289461ccc1b83b806c516f31>
	// <3dc2b3c2a6c3b0c5bdc58157c2a55079cb9ae280b0c3b849efbfbd5f> should be <3db3a6f0999557a550791e8bf849165f>
	// 6 URLS are right
}

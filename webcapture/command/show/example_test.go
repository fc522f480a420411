package show_test

import (
	"context"
	"fmt"
	"os"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/diff"
)

// How another tool changed a content database, as text.
func Example() {
	const dir = "../../../testdata/"
	result, err := diff.Files(context.Background(), dir+"site.pdf", dir+"site-optimized.pdf", webcapture.Options{})
	if err == nil {
		err = show.WriteDiff(os.Stdout, result, 0)
	}
	fmt.Println(err)
	// Output:
	// ../../../testdata/site.pdf: 6 URLS, 6 IDS, 3 page sets, 3 image sets
	// ../../../testdata/site-optimized.pdf: 6 URLS, 6 IDS, 3 page sets, 3 image sets
	// different: 6 changed
	//   changed  IDS key <1afd705458f5fa6f0941112223e0ea37> → <cb86c3bd705458c3b5c3ba6f0941efbfbd2223c3a0c3aa37>, re-encoded as UTF-8 text
	//   changed  IDS key <1b166c1c289461ccc1b83b806c516f31> → <cb99efbfbd6ccb9d28efac8261c38cc381c2b83be280a26c516f31>, re-encoded as UTF-8 text
	//   changed  IDS key <3db3a6f0999557a550791e8bf849165f> → <3dc2b3c2a6c3b0c5bdc58157c2a55079cb9ae280b0c3b849efbfbd5f>, re-encoded as UTF-8 text
	//   changed  IDS key <93141feb2a3b603ea65b8be738903144> → <efac81efbfbdcb9cc3ab2a3b603ec2a65be280b0c3a738e280993144>, re-encoded as UTF-8 text
	//   changed  IDS key <b807599a8a469dbb0ef4700e599c0623> → <c2b8efbfbd59c4b1e2889246c5a1c2bbefbfbdc3b470efbfbd59c593efbfbd23>, re-encoded as UTF-8 text
	//   changed  IDS key <e777f50b856b7df8a04ae10542d128a9> → <c3a777c3b5efbfbde280936b7dc3b8e282ac4ac3a1efbfbd42c39128c2a9>, re-encoded as UTF-8 text
	// <nil>
}

package diff_test

import (
	"context"
	"fmt"
	"log"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Did a tool keep what was captured? Its output has one of three pages left.
func ExampleCompare() {
	open := func(sets int) *webcapture.File {
		data := webcapturetest.Sets(sets, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
		f, err := webcapture.New(context.Background(), data, webcapture.Options{})
		if err != nil {
			log.Fatal(err)
		}
		return f
	}
	before, after := open(3), open(1)
	defer before.Close()
	defer after.Close()
	res, err := diff.Compare(before, after)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("same:", res.Same())
	for _, c := range res.Changes {
		fmt.Println(c.Kind, c.Place)
	}
	// Output:
	// same: false
	// lost page set <31b633adf1fb8b8db263e0bca95fe6ee> of (http://www.example.org/archive/00000001/index.html?rev=1)
	// lost page set <edc76c379e3739c6092e7129b5365ca8> of (http://www.example.org/archive/00000002/index.html?rev=2)
}

// What an optimizer did to the keys of a file.
func ExampleFiles() {
	res, err := diff.Files(context.Background(), "../../testdata/site.pdf", "../../testdata/site-optimized.pdf",
		webcapture.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	first := res.Changes[0]
	fmt.Printf("%v: %s becomes %s\n", first.Place, first.A, first.B)
	fmt.Println(len(res.Changes), "changes; the same:", res.Same())
	// Output:
	// IDS key <1afd705458f5fa6f0941112223e0ea37>: <1afd705458f5fa6f0941112223e0ea37> becomes <cb86c3bd705458c3b5c3ba6f0941efbfbd2223c3a0c3aa37>, re-encoded as UTF-8 text
	// 6 changes; the same: false
}

package rewrite_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// A plan says what would be done, and writes nothing.
func ExampleOpen() {
	p, err := rewrite.Open(context.Background(), "../../testdata/site-optimized.pdf", rewrite.Options{})
	if err != nil {
		log.Fatal(err) // the file cannot be read
	}
	defer p.Close()
	for _, s := range p.Steps {
		fmt.Println(s)
	}
	for _, l := range p.Left {
		fmt.Println(l.Finding, l.Reason)
	}
	// Output:
	// IDS: rewrite-tree
	// IDS, entry 1: change-key <cb86c3bd705458c3b5c3ba6f0941efbfbd2223c3a0c3aa37> becomes <1afd705458f5fa6f0941112223e0ea37>
	// IDS, entry 2: change-key <cb99efbfbd6ccb9d28efac8261c38cc381c2b83be280a26c516f31> becomes <1b166c1c289461ccc1b83b806c516f31>
	// IDS, entry 3: change-key <3dc2b3c2a6c3b0c5bdc58157c2a55079cb9ae280b0c3b849efbfbd5f> becomes <3db3a6f0999557a550791e8bf849165f>
	// IDS, entry 4: change-key <efac81efbfbdcb9cc3ab2a3b603ec2a65be280b0c3a738e280993144> becomes <93141feb2a3b603ea65b8be738903144>
	// IDS, entry 5: change-key <c2b8efbfbd59c4b1e2889246c5a1c2bbefbfbdc3b470efbfbd59c593efbfbd23> becomes <b807599a8a469dbb0ef4700e599c0623>
	// IDS, entry 6: change-key <c3a777c3b5efbfbde280936b7dc3b8e282ac4ac3a1efbfbd42c39128c2a9> becomes <e777f50b856b7df8a04ae10542d128a9>
}

// Options choose the rules whose findings are repaired.
func ExampleOptions() {
	p, err := rewrite.Open(context.Background(), "../../testdata/site-optimized.pdf",
		rewrite.Options{Rules: audit.Select("trees")})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	for _, s := range p.Steps {
		fmt.Println(s)
	}
	for _, l := range p.Left[:1] {
		fmt.Println(l.Finding.Rule.ID, l.Reason)
	}
	// Output:
	// IDS: rewrite-tree
	// WC303 The rule is not selected for repair.
}

// Install carries a plan out. The audit that it returns is of the new file.
func ExamplePlan_Install() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p, err := rewrite.Open(context.Background(), "../../testdata/site-optimized.pdf", rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if p.Empty() {
		return // there would be nothing new to write
	}
	after, err := p.Install(context.Background(), rewrite.Target{Path: filepath.Join(dir, "repaired.pdf")})
	if err != nil {
		log.Fatal(err) // nothing was written
	}
	fmt.Println(p.Report.Count(rule.Error), "errors before,", after.Count(rule.Error), "after")
	// Output: 7 errors before, 0 after
}

package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// An audit through a queue has the results of an audit. The same command again shows them, and another job cannot use
// the folder.
func TestClusterRun(t *testing.T) {
	t.Chdir(t.TempDir())
	site := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	for _, name := range []string{"a.pdf", "b.pdf", "c.pdf"} {
		if err := os.WriteFile(name, site, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var want bytes.Buffer
	if code, stderr := run(nil, &want, "audit", "a.pdf", "b.pdf", "c.pdf"); code != exitClean {
		t.Fatal(stderr)
	}
	store := filepath.Join(t.TempDir(), "queue")
	for range 2 {
		var out bytes.Buffer
		code, stderr := run(nil, &out, "cluster", "run", "--store", store, "--chunk", "2", "a.pdf", "b.pdf", "c.pdf")
		if code != exitClean || stderr != "" || out.String() != want.String() {
			t.Errorf("exit %d, it says %q, got\n%swant\n%s", code, stderr, out.String(), want.String())
		}
	}
	var out bytes.Buffer
	code, stderr := run(nil, &out, "cluster", "run", "--store", store, "--only", "urls", "a.pdf")
	if code != exitUsage || !strings.HasPrefix(stderr, "webcap: cluster run: --store "+store+": ") || out.Len() > 0 {
		t.Errorf("other rules: exit %d, it says %q", code, stderr)
	}
}

package command

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A path that is not UTF-8 has the same form in jobs and records, so its record can become a job.
func TestWorkerTakesPathsInHexadecimal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("\xff.pdf") // no file system refuses the name of a member
	if err != nil {
		t.Fatal(err)
	}
	w.Write(webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}))
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	hex := fmt.Sprintf(`"pathHex":"%x"`, path+"!\xff.pdf")
	var out bytes.Buffer
	if code, stderr := run(strings.NewReader("{"+hex+"}\n"+`{"pathHex":"xx"}`+"\n"), &out,
		"worker"); code != exitClean {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{hex, `"outcome":"clean"`, `"reason":"not a job: its pathHex is not hexadecimal"`} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out.String(), want) {
				t.Errorf("nothing says %s:\n%s", want, out.String())
			}
		})
	}
}

package command

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestQueriesAreAnswered runs the queries in docs/report-formats.md with DuckDB. .ci/run installs it.
func TestQueriesAreAnswered(t *testing.T) {
	tables, err := filepath.Abs(root + "/testdata/tables")
	if err != nil {
		t.Fatal(err)
	}
	webcapturetest.Program(t, "node")
	if _, err := os.Stat(tables + "/node_modules"); err != nil {
		t.Skip("needs npm packages of testdata/tables")
	}
	page, err := os.ReadFile(root + "/docs/report-formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var queries string
	for _, m := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		queries += strings.ReplaceAll(m[1], "\n", " ") + "\n"
	}
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", brokenKey)
	writePDF(t, "b.pdf", brokenKey)
	if code, stderr := run(nil, io.Discard, "audit", ".", "gone.pdf", "-o", "run.ndjson"); code != exitFailed {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	cmd := exec.Command("node", filepath.Join(tables, "query.mjs"))
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(queries), &stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	want := `[{"rule":"WC204","level":"error","findings":"2","files":"2"}]
[{"outcome":"findings","files":"2"},{"outcome":"error","files":"1"}]
[{"path":"a.pdf","place":"URLS, entry 1","key":"HTTP://a.example/"},{"path":"b.pdf","place":"URLS, entry 1","key":"HTTP://a.example/"}]
`
	if string(got) != want {
		t.Errorf("answers\n%s\nwant\n%s", got, want)
	}
}

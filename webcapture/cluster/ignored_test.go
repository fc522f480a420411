package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Findings that a configuration or a baseline ignores are also ignored in results of a queue.
func TestIgnoredResults(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 2)
	text, err := os.ReadFile("../../testdata/site-optimized.pdf")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "in", "optimized.pdf"), text) // with keys damaged by a tool
	write(t, filepath.Join(dir, "ignore.yaml"), []byte("ignore:\n  - {path: in/**, reason: known}\n"))
	job := submit(t, dir, m.url)
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	if said, code := webcap(t, dir, "audit", "in", "--output", "json:baseline"); code != 1 {
		t.Fatalf("exit %d: %.2000s", code, said)
	}
	for _, how := range [][]string{{"--config", "ignore.yaml"}, {"--baseline", "baseline"}} {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			_, want := webcap(t, dir, append([]string{"audit", "in", "--output", "ndjson:want"}, how...)...)
			said, code := webcap(t, dir, append([]string{"cluster", "results", job, "--nats", m.url, "--output",
				"ndjson:got"}, how...)...)
			if code != 0 || want != 0 {
				t.Errorf("%s: exit %d, and %d without a queue: %s", how, code, want, said)
			}
			if !strings.Contains(records(t, filepath.Join(dir, "want")), `{"type":"ignored"`) {
				t.Errorf("%s ignores nothing", how)
			}
			sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
		})
	}
}

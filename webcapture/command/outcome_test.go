package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The same cause has the same exit code in all commands.
func TestOneCauseHasOneCode(t *testing.T) {
	whole := webcapturetest.Sets(3, webcapturetest.Options{Images: 1}).Bytes(webcapturetest.Layout{})
	text := func(s string) []byte {
		d, err := webcapturetest.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return d.Bytes(webcapturetest.Layout{})
	}
	dir := t.TempDir()
	path, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, "out.pdf")
	for _, tt := range []struct {
		cause string
		data  []byte
		want  int
		anew  bool // rewrite --full writes a new file with the readable part
	}{
		{"clean", whole, exitClean, false},
		{"no database", text("catalog: << /Type /Catalog >>\n"), exitNothing, false},
		{"an unreadable part", text("names: << /IDS << /Names [ <a0> 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID <a0a1 /O ] >>\n"), exitFailed, false},
		{"cut off", whole[:len(whole)-40], exitFailed, false},
		{"cut off before the catalog", whole[:200], exitFailed, false},
		{"damaged, and nothing hidden", bytes.Replace(whole, []byte("trailer"), []byte("trialer"), 1), exitClean, true},
		{"not a PDF", []byte("text"), exitFailed, false},
	} {
		t.Run(tt.cause, func(t *testing.T) {
			if err := os.WriteFile(path, tt.data, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{
				{"audit", "--config", "none", "--fail-on", "error", path}, {"list", path}, {"diff", path, path},
				{"rewrite", path}, {"rewrite", "--full", "--only", "WC103", path, "-o", out},
			} {
				os.Remove(out)
				if code, stderr := run(nil, io.Discard, args...); code != tt.want {
					t.Errorf("%s: %s exits with %d, want %d: %s", tt.cause, args[0], code, tt.want, stderr)
				}
				if _, err := os.Stat(out); (err == nil) != (tt.anew && args[0] == "rewrite" && len(args) > 2) {
					t.Errorf("%s: %v writes a file: %v", tt.cause, args, err == nil)
				}
			}
			var results bytes.Buffer
			code, _ := run(nil, &results, "audit", "--config", "none", "--format", "json", path)
			if again, stderr := run(&results, io.Discard, "report", "-"); again != code {
				t.Errorf("%s: report exits with %d, audit with %d: %s", tt.cause, again, code, stderr)
			}
		})
	}
}

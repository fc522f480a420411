package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The expansion of shared objects is bounded by the size of the file: commands stop reading and writing at the
// budget, report the missing parts, and exit like an audit.
func TestSharedObjectsKeepTheBudget(t *testing.T) {
	type row struct{ bomb, command, want string }
	for _, tt := range webcapturetest.Sample(2, []row{
		{"20000 sets that share a URL of 1 MB", "list --tree", "too much output for a file of this size"},
		{"20000 sets that share a URL of 1 MB", "list --tree --format json", "too much output for a file of this size"},
		{"2000 sets that share 10000 members and sources", "list", "too much work for a file of this size"},
	}) {
		t.Run(tt.command+" "+tt.bomb, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bomb.pdf")
			writeBomb(t, path, tt.bomb)
			f, err := webcapture.Open(t.Context(), path, webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			budget := f.Budget()
			f.Close()
			var stdout, stderr bytes.Buffer
			args := append([]string{"webcap"}, strings.Fields(tt.command)...)
			args = append(args, "--timeout", "0", path) // it is not about time
			code := Run(args, strings.NewReader(""), &stdout, &stderr)
			const one = 32 << 20 // the largest output for one set
			if n := int64(stdout.Len()); code != exitFailed || n > budget.Output+one {
				t.Errorf("exit code %d and %d bytes of output, want %d and at most %d", code, n, exitFailed, budget.Output+one)
			}
			if !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("standard error is %q, want %q", stderr.String(), tt.want)
			}
		})
	}
}

// writeBomb writes the named bomb.
func writeBomb(t *testing.T, path, name string) {
	t.Helper()
	for _, b := range webcapturetest.Bombs() {
		if b.Name == name {
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := b.Write(f); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("there is no bomb %q", name)
}

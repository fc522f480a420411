//go:build unix

package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file over the size limit gets one line and an exit code from each command, and is not read completely. It takes
// no space on disk.
func TestHugeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.pdf")
	if err := os.WriteFile(path, []byte("%PDF-1.7 "), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 100<<30); err != nil {
		t.Skip("needs sparse files: ", err)
	}
	const file = "larger than the limit of 9999999999 bytes"
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"audit", "-f", "json", path}, exitFailed, file},
		{[]string{"list", "-f", "json", path}, exitFailed, file},
		{[]string{"diff", path, path}, exitFailed, file},
		{[]string{"rewrite", path}, exitFailed, file},
		{[]string{"rewrite", "--full", path, "-o", filepath.Join(t.TempDir(), "out.pdf")}, exitFailed, file},
		{[]string{"rewrite", "--in-place", path}, exitFailed, file},
		{[]string{"report", path}, exitFailed, "not the results"},
		{[]string{"audit", "x.pdf", "--baseline", path}, exitUsage, "not the results"},
		{[]string{"audit", "x.pdf", "--config", path}, exitUsage, "too long"},
		{[]string{"audit", "x.pdf", "--password-file", path}, exitUsage, "too long"},
	} {
		t.Run(tt.says, func(t *testing.T) {
			code, stderr := run(nil, io.Discard, tt.args...)
			first, _, _ := strings.Cut(stderr, "\nSee ")
			if code != tt.code || strings.Count(strings.TrimSpace(first), "\n") > 0 ||
				!strings.Contains(first, tt.says) {
				t.Errorf("%v: exit %d: %s", tt.args, code, stderr)
			}
		})
	}
	if list := names(t, filepath.Dir(path)); len(list) != 1 {
		t.Errorf("files %v", list)
	}
}

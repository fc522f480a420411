package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// Skipped files are counted by reason. -v lists the first of each kind.
func TestSaySkipped(t *testing.T) {
	var listed strings.Builder
	for i := range maxSkipped {
		fmt.Fprintf(&listed, "webcap:   f%d\n", i+1)
	}
	for _, tt := range []struct {
		name, args         string
		made, links, other int
		want               string
	}{
		{"none", "", 0, 0, 0, ""},
		{"one of each", "", 1, 1, 1,
			"webcap: 1 symbolic link skipped (--follow-links)\n" +
				"webcap: 1 file skipped: backups or temporary files of webcap rewrite (-v lists them)\n" +
				"webcap: 1 file skipped: text (-v lists them)\n"},
		{"two of each", "", 2, 2, 2,
			"webcap: 2 symbolic links skipped (--follow-links)\n" +
				"webcap: 2 files skipped: backups or temporary files of webcap rewrite (-v lists them)\n" +
				"webcap: 2 files skipped: text (-v lists them)\n"},
		{"listed", "-v", 0, 1, 20, "webcap: 1 symbolic link skipped (--follow-links)\nwebcap:   f1\n" +
			"webcap: 20 files skipped: text\n" + listed.String()},
		{"many", "-v", 0, 0, 22, "webcap: 22 files skipped: text\n" + listed.String() + "webcap:   and 2 more\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			withOptions(t, "audit a.pdf "+tt.args, func(p *program, c *cli.Context) {
				for why, n := range map[batch.Skip]int{madeByRewrite: tt.made, batch.Link: tt.links, "text": tt.other} {
					for i := range n {
						p.skipped.add(fmt.Sprint("f", i+1), why)
					}
				}
				p.saySkipped(c)
				if got := p.stderr.(*strings.Builder).String(); got != tt.want {
					t.Errorf("got\n%swant\n%s", got, tt.want)
				}
			})
		})
	}
}

// A backup counts as made by webcap only next to its file.
func TestSkippedFilesMadeByRewrites(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.pdf", "a.pdf.bak", "gone.pdf.bak"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var s skippedFiles
	for name, want := range map[string]bool{"a.pdf": false, "a.pdf.bak": true, "gone.pdf.bak": false} {
		if got := s.isMade(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if n := s.kinds[madeByRewrite].n; n != 1 {
		t.Errorf("%d files are counted, want 1", n)
	}
}

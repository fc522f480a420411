package command

import (
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// Skipped files are counted by reason, and -v names them. A backup counts as made by webcap only next to its file.
func TestSkippedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.pdf": "", "a.pdf.bak": "", "gone.pdf.bak": ""})
	for args, want := range map[string]string{
		"": "webcap: 1 symbolic link skipped (--follow-links)\n" +
			"webcap: 1 file skipped: backups or temporary files of webcap rewrite (-v lists them)\n" +
			"webcap: 2 files skipped: text (-v lists them)\n",
		"-v": "webcap: skipped a.pdf.bak: backups or temporary files of webcap rewrite\n" +
			"webcap: skipped f: text\nwebcap: skipped g: text\nwebcap: skipped l: a symbolic link\n" +
			"webcap: 1 symbolic link skipped (--follow-links)\n" +
			"webcap: 1 file skipped: backups or temporary files of webcap rewrite\nwebcap: 2 files skipped: text\n",
	} {
		withOptions(t, "audit a.pdf "+args, func(p *program, c *cli.Context) {
			where := p.pathOptions(c)
			for name, made := range map[string]bool{"a.pdf": false, "a.pdf.bak": true, "gone.pdf.bak": false} {
				if got := where.Except(name); got != made {
					t.Errorf("%s: %v, want %v", name, got, made)
				}
			}
			where.Skipped("f", "text")
			where.Skipped("g", "text")
			where.Skipped("l", batch.Link)
			if p.saySkipped(c); said(p) != want {
				t.Errorf("%s: it says\n%swant\n%s", args, said(p), want)
			}
		})
	}
}

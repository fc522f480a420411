package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The command at the end of a table works for any file name: a shell accepts it verbatim, and its output is clean.
func TestNextStepRepairs(t *testing.T) {
	shell := webcapturetest.Program(t, "sh")
	broken, err := os.ReadFile(root + "/testdata/site-optimized.pdf")
	if err != nil {
		t.Fatal(err)
	}
	step := regexp.MustCompile(`(?m)^  To repair: (webcap rewrite .* -o (.*))$`)
	for _, name := range []string{"a.pdf", "-a.pdf", "it's \"one\".pdf", "$HOME `x`.pdf", "ä&b;c|d.pdf", "PDF", "~.pdf",
		"!a#.pdf"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, name), broken, 0o666); err != nil {
				t.Fatal(err)
			}
			run := func(c *exec.Cmd) string {
				var out bytes.Buffer
				c.Dir, c.Stdout, c.Stderr = dir, &out, &out
				c.Run()
				return out.String()
			}
			audit := exec.Command("webcap", "audit", "--config", "none", "./"+name)
			text := run(audit)
			m := step.FindStringSubmatch(text)
			if m == nil {
				t.Errorf("%s: there is no next step in\n%s", name, text)
				return
			}
			if text := run(exec.Command(shell, "-c", m[1]+" && webcap audit "+m[2])); !strings.Contains(text, ": clean") {
				t.Errorf("%s: after %s\n%s", name, m[1], text)
			}
		})
	}
}

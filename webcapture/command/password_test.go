package command

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestEndlessPasswordFile: a file that is not a list of passwords is rejected before it fills the memory.
func TestEndlessPasswordFile(t *testing.T) {
	longest := strings.Repeat("x", maxPasswordFile)
	t.Chdir(t.TempDir())
	withOptions(t, "audit --password-file list a.pdf", func(p *program, c *cli.Context) {
		writeFiles(t, map[string]string{"list": longest})
		if list, err := p.filePasswords(c); err != nil || len(list) != 1 || list[0] != longest {
			t.Errorf("of the longest list: %d passwords, %v", len(list), err)
		}
		writeFiles(t, map[string]string{"list": longest + "x"})
		const want = "list: too long: more than 1048576 bytes"
		if _, err := p.filePasswords(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	})
}

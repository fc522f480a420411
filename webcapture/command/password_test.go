package command

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestEndlessPasswordFile: a file that is not a list of passwords is rejected before it fills the memory.
func TestEndlessPasswordFile(t *testing.T) {
	longest := strings.Repeat("x", maxPasswordFile)
	withOptions(t, "audit --password-file - a.pdf", func(p *program, c *cli.Context) {
		p.stdin = strings.NewReader(longest)
		if list, err := p.filePasswords(c); err != nil || len(list) != 1 || list[0] != longest {
			t.Errorf("of the longest list: %d passwords, %v", len(list), err)
		}
		p.stdin = strings.NewReader(longest + "x")
		if _, err := p.filePasswords(c); err == nil || !strings.Contains(err.Error(), "- is longer than 1048576 bytes") {
			t.Errorf("got %v", err)
		}
	})
}

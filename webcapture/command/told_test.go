package command

import (
	"bytes"
	"errors"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// If results on the terminal show a reason, no message repeats it, except for the remedy; the exit code is the
// same.
func TestReasonsAreSaidOnce(t *testing.T) {
	gone := errors.New("gone")
	for _, tt := range []struct {
		name string
		do   func(*program)
		told bool
		says bool
	}{
		{"failed", func(p *program) { p.fail("a.pdf", gone) }, false, true},
		{"failed, told", func(p *program) { p.fail("a.pdf", gone) }, true, false},
		{"unread", func(p *program) { p.unread("a.pdf", "checked", []rule.Unread{{Err: gone}}) }, false, true},
		{"unread, told", func(p *program) { p.unread("a.pdf", "checked", []rule.Unread{{Err: gone}}) }, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr bytes.Buffer
			p := &program{stderr: &stderr, told: tt.told}
			tt.do(p)
			if (stderr.Len() > 0) != tt.says || p.code() != exitFailed {
				t.Errorf("%s: %q and exit code %d", tt.name, stderr.String(), p.code())
			}
		})
	}
}

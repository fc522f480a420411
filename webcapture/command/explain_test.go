package command

import (
	"bufio"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

func TestVerbatim(t *testing.T) {
	const text = "one two three four five six seven eight\n\nshort\n"
	for _, row := range []struct {
		name  string
		width int
		want  string
	}{
		{"file", 0, "  one two three four five six seven eight\n\n  short\n"},
		{"wide", 80, "  one two three four five six seven eight\n\n  short\n"},
		{"narrow", 30, "  one two three four five six\n    seven eight\n\n  short\n"},
		{"very narrow", 5, "  one two three four\n    five six seven eight\n\n  short\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b strings.Builder
			p := &program{stdout: bufio.NewWriter(&b), width: row.width}
			p.verbatim(text)
			p.stdout.Flush()
			if got := b.String(); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

// TestExplainFits: no explanation is wider than its window.
func TestExplainFits(t *testing.T) {
	var b strings.Builder
	p := &program{stdout: bufio.NewWriter(&b), width: 72}
	for _, r := range audit.Rules() {
		p.explainRule(r)
	}
	p.stdout.Flush()
	layouttest.Lines(t, b.String(), p.width)
}

package command

import (
	"slices"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// The settings of a run are those that affect its records.
func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		line string
		how  audit.Options
		want []string
	}{
		{"audit a", audit.Options{}, []string{"timeout 60s"}},
		{"audit --timeout 5m --follow-links a", audit.Options{}, []string{"timeout 5m", "follow-links"}},
		{"audit -j 4 -v a", audit.Options{}, []string{"timeout 60s"}},
		{"audit a", audit.Options{Embedded: true}, []string{"timeout 60s", "embedded"}},
		{"audit a", audit.Options{Passwords: []string{"a", "b"}}, []string{"timeout 60s", "passwords 2"}},
	} {
		withOptions(t, tt.line, func(_ *program, c *cli.Context) {
			if list := settings(c, tt.how); !slices.Equal(list, tt.want) {
				t.Errorf("%s: %q, want %q", tt.line, list, tt.want)
			}
		})
	}
}

// The journal of a run is not one of its inputs.
func TestAuditUsage(t *testing.T) {
	for line, want := range map[string]string{
		"audit --journal j a":     "",
		"audit --journal a a":     "audit: a is an input; write the journal to another file",
		"audit --journal ./a b a": "audit: ./a is an input; write the journal to another file",
	} {
		withOptions(t, line, func(p *program, c *cli.Context) {
			got := ""
			if err := auditUsage(c, c.Args().Slice()); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		})
	}
}

// An audit knows its sources, and whether a part of them is lost.
func TestSourcesOfARun(t *testing.T) {
	withOptions(t, "audit a", func(p *program, c *cli.Context) {
		for _, given := range []bool{false, true} {
			src := &sources{given: given, lost: true, embedded: !given}
			if given {
				opened, err := p.openSources(c, []string{testSource(t)})
				if err != nil {
					t.Fatal(err)
				}
				defer opened.all.Close()
				src.all = opened.all
			}
			a := &auditConfig{configuration: new(configuration), paths: new(listedPaths)}
			r, err := p.newAuditRun(c, a, src)
			if err != nil {
				t.Fatal(err)
			}
			if how := r.opt.Audit; (how.Source != nil) != given || how.SourceLost != given || how.Embedded == given {
				t.Errorf("given: %v: %+v", given, how)
			}
		}
	})
}

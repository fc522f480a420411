package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
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
		{"audit --no-recurse -j 4 -q a", audit.Options{}, []string{"timeout 60s", "no-recurse"}},
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

// A hash of files is computed only if something needs it.
func TestHashesOfARun(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]bool{"audit a": false, "audit -q a": false, "audit -o a.json a": true,
		"audit --journal j a": true, "audit --baseline b.json a": true} {
		withOptions(t, line, func(p *program, c *cli.Context) {
			outs, err := outputs(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			a := &auditConfig{configuration: new(configuration), paths: &listedPaths{arguments: c.Args().Slice()}, outs: outs,
				rules: []*rule.Rule{audit.Rules()[0]}, clauses: []string{"quiet by a"}}
			r, err := p.newAuditRun(c, a, new(sources))
			if err != nil {
				t.Fatal(err)
			}
			if r.journal != nil {
				r.journal.Close(true)
			}
			if hasFolder := slices.ContainsFunc(r.head.Settings, func(s string) bool {
				return strings.HasPrefix(s, report.FolderSetting)
			}); hasFolder != keepsRecords(c) {
				t.Errorf("%s: settings %q", line, r.head.Settings)
			}
			if r.opt.NoHash == want || !slices.Equal(r.head.Configuration, a.clauses) ||
				!slices.Equal(r.head.Rules, a.rules) {
				t.Errorf("%s: hashes are computed: %v; head %+v", line, !r.opt.NoHash, r.head)
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
				defer opened.Close()
				src.Source = opened.Source
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

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
		{"audit a", audit.Options{Passwords: []string{"a", "b"}}, []string{"timeout 60s", "passwords 2"}},
	} {
		withOptions(t, tt.line, func(_ *program, c *cli.Context) {
			if list := settings(c, tt.how); !slices.Equal(list, tt.want) {
				t.Errorf("%s: %q, want %q", tt.line, list, tt.want)
			}
		})
	}
}

// An audit knows its sources, and whether a part of them is lost.
func TestSourcesOfARun(t *testing.T) {
	withOptions(t, "audit a", func(p *program, c *cli.Context) {
		for _, given := range []bool{false, true} {
			var specs []string
			if given {
				specs = append(specs, testSource(t))
			}
			src, err := p.openSources(c, specs)
			if err != nil {
				t.Fatal(err)
			}
			defer src.all.Close()
			src.lost = true
			var how audit.Options
			if src.addTo(&how); (how.Source != nil) != given || how.SourceLost != given {
				t.Errorf("given: %v: %+v", given, how)
			}
		}
	})
}

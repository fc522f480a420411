package command

import (
	"slices"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Settings are options with a value.
func TestSettings(t *testing.T) {
	withOptions(t, "audit --timeout 5m --follow-links -j 4 a", func(_ *program, c *cli.Context) {
		list := settings(c, "timeout", "base", "follow-links", "source")
		if want := []string{"timeout 5m", "follow-links true"}; !slices.Equal(list, want) {
			t.Errorf("%q, want %q", list, want)
		}
	})
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

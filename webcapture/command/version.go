package command

import (
	"cmp"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// Values that the linker sets with -X if the Go toolchain cannot know them: in releases, and in builds outside a
// checkout. Each may be empty. No other code sets them.
var (
	version   string // such as v1.2.3
	revision  string // revision of the source code
	committed string // time of the revision
)

func (p *program) printVersion() *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "Print the version",
		UsageText: "webcap version",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return p.sayVersion()
		},
	}
}

func (p *program) sayVersion() error { return p.printf("webcap %s\n", buildInfo()) }

// buildInfo describes the program on one line: version, revision, time of the revision, and toolchain. The
// toolchain provides values that the linker did not set. Unknown values are omitted.
func buildInfo() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(info, version, revision, committed)
}

func describe(info *debug.BuildInfo, version, revision, committed string) string {
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = cmp.Or(revision, s.Value)
		case "vcs.time":
			committed = cmp.Or(committed, s.Value)
		}
	}
	parts := []string{cmp.Or(version, info.Main.Version, "(devel)")}
	if revision != "" {
		text := "revision " + revision
		if committed != "" {
			text += " of " + committed
		}
		parts = append(parts, text)
	}
	if info.GoVersion != "" {
		parts = append(parts, info.GoVersion)
	}
	return strings.Join(parts, ", ")
}

// moduleVersion returns the version as it appears in results.
func moduleVersion() string {
	v, _, _ := strings.Cut(buildInfo(), ",")
	return v
}

package command

import (
	"cmp"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// version is the version, such as v1.2.3, that the linker sets with -X if the Go toolchain cannot know it: in releases,
// and in builds outside a checkout. No other code sets it.
var version string

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

// buildInfo describes the program on one line: version, revision, time of the revision, and toolchain. Unknown values
// are omitted.
func buildInfo() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(info, version)
}

func describe(info *debug.BuildInfo, version string) string {
	text := cmp.Or(version, info.Main.Version, "(devel)")
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			text += ", revision " + s.Value
		case "vcs.time":
			text += " of " + s.Value
		}
	}
	if info.GoVersion != "" {
		text += ", " + info.GoVersion
	}
	return text
}

// moduleVersion returns the version as it appears in results.
func moduleVersion() string {
	v, _, _ := strings.Cut(buildInfo(), ",")
	return v
}

package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) init() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "Write a commented " + configName,
		UsageText: "webcap init",
		Description: `webcap writes ` + configName + ` to the working directory. Each option of webcap audit is a
comment in it: remove the # in front of those that you want to change.

` + details("configuration.md"),
		Action: p.runInit,
	}
}

func (p *program) runInit(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	f, err := os.OpenFile(configName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usagef("init", "%s exists; webcap audit -v shows what it sets", configName)
	}
	if err == nil {
		_, err = f.WriteString(sampleConfig(keyFlags(p.audit().Flags)))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return cannotWriteFile(configName, err)
	}
	return p.printf("%s is written; webcap audit -v shows the settings\n", configName)
}

// sampleConfig returns a configuration file in which each key is commented out.
func sampleConfig(keys []cli.Flag) string {
	var b strings.Builder
	b.WriteString("# Configuration of webcap audit: " + docsFolder + "configuration.md\n")
	options := manual.Options(keys)
	for i, o := range options {
		if i == 0 || o.Group != options[i-1].Group {
			b.WriteString("\n# " + o.Group + "\n")
		}
		fmt.Fprintf(&b, "# %s: %s  # %s\n", o.Name, sampleValue(&o), o.Description())
	}
	return b.String() + `
# Excluded files and folders
# exclude: [archive/old/**]

# Ignored findings
# ignore:
#   - rule: WC204
#     path: archive/**
#     reason: made before 2009
#     until: 2030-12-31
`
}

// sampleValue returns an example value of an option as YAML.
func sampleValue(o *manual.Option) string {
	_, value, _ := strings.Cut(strings.TrimSpace(o.Term), "--"+o.Name)
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return "true"
	case len(o.Choices) > 0:
		return o.Choices[0]
	case o.Repeatable:
		return "[" + value + "]"
	}
	return value
}

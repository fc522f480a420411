package command

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
)

// colourMode returns when to use colors.
func colourMode(c *cli.Context) (string, error) {
	switch mode := c.String("color"); mode {
	case "auto", "always", "never":
		return mode, nil
	default:
		return "", usagef(c.Command.Name, "--color must be auto, always or never, not %q", mode)
	}
}

// colour reports whether the table has colours.
func (p *program) colour(c *cli.Context) (bool, error) {
	mode, err := colourMode(c)
	return err == nil && terminal.Colours(mode, p.width > 0, os.Getenv) && terminal.ShowsColours(os.Stdout), err
}

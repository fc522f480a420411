package command

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
)

// colourMode returns the value of the option for colors: auto, always, or never.
func colourMode(c *cli.Context) (string, error) {
	switch mode := c.String("color"); mode {
	case "auto", "always", "never":
		return mode, nil
	default:
		return "", usagef(c.Command.Name, "--color must be auto, always or never, not %q", mode)
	}
}

// colour reports whether to write the table with colors.
func (p *program) colour(c *cli.Context) (bool, error) {
	mode, err := colourMode(c)
	return err == nil && terminal.Colours(mode, p.width > 0, os.Getenv) && terminal.ShowsColours(os.Stdout), err
}

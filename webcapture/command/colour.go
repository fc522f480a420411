package command

import (
	"os"

	"github.com/urfave/cli/v2"
)

func colourFlag() cli.Flag {
	return &cli.StringFlag{Name: "color", Aliases: []string{"colour"}, Value: "auto", Usage: "colours in the table: `WHEN` is auto, on a terminal, always or never"}
}

// colourMode returns when there are to be colours.
func colourMode(c *cli.Context) (string, error) {
	switch mode := c.String("color"); mode {
	case "auto", "always", "never":
		return mode, nil
	default:
		return "", usagef(c.Command.Name, "--color is auto, always or never, not %q", mode)
	}
}

// colour reports whether the table has colours.
func (p *program) colour(c *cli.Context) (bool, error) {
	mode, err := colourMode(c)
	return err == nil && coloured(mode, p.width > 0, os.Getenv) && showsColour(os.Stdout), err
}

// coloured decides on colours: an option goes before NO_COLOR, and that before
// CLICOLOR_FORCE.
func coloured(mode string, terminal bool, env func(string) string) bool {
	switch force := env("CLICOLOR_FORCE"); {
	case mode != "auto":
		return mode == "always"
	case env("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return terminal && env("TERM") != "dumb"
}

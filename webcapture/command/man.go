package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) man() *cli.Command {
	return &cli.Command{
		Name:        "man",
		Usage:       "Print the manual page",
		UsageText:   "webcap man",
		Description: `  webcap man > /usr/local/share/man/man1/webcap.1`,
		Action:      p.runMan,
	}
}

func (p *program) runMan(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	return p.printf("%s", manual.Page(c.App, moduleVersion(), exitMeanings[:], configName))
}

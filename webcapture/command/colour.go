package command

import (
	"os"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
)

// colour reports whether to write the table with colors.
func (p *program) colour() bool {
	return terminal.Colours(p.width > 0, os.Getenv) && terminal.ShowsColours(os.Stdout)
}

package command

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

func passwordFlags() []cli.Flag {
	return grouped(manual.Passwords,
		&cli.StringFlag{Name: "password-file", Usage: "`FILE` File with one password per line"})
}

// passwordVariable is an environment variable whose lines are also passwords.
const passwordVariable = "WEBCAP_PASSWORD"

// maxPasswordFile is the maximum size of a list of passwords, in bytes.
const maxPasswordFile = 1 << 20

// passwords returns the passwords of --password-file and of the environment, in the order in which they are tried.
func (p *program) passwords(c *cli.Context) ([]string, error) {
	list, err := p.filePasswords(c)
	return append(list, passwordLines(os.Getenv(passwordVariable))...), err
}

// filePasswords returns the passwords of --password-file.
func (p *program) filePasswords(c *cli.Context) ([]string, error) {
	if err := standardInputOnce(c); err != nil {
		return nil, err
	}
	name := c.String("password-file")
	if name == "" {
		return nil, nil
	}
	f, err := infile.Open(name)
	if err != nil {
		return nil, usagef(c.Command.Name, "cannot read the password: %v", err)
	}
	defer f.Close()
	text, err := infile.ReadAll(f, maxPasswordFile)
	if err != nil {
		return nil, usagef(c.Command.Name, "cannot read the password: %s: %v", name, oserror.Reason(err))
	}
	return passwordLines(string(text)), nil
}

// standardInputOnce returns an error if a command would read standard input twice. A run that can resume cannot audit
// standard input either, because it may have to read its inputs again.
func standardInputOnce(c *cli.Context) error {
	lists, _ := c.Value("files-from").([]string)
	uses := 0
	for _, name := range append(lists[:len(lists):len(lists)], c.String("urls-from")) {
		if name == batch.Stdin {
			uses++
		}
	}
	isInput := slices.Contains(c.Args().Slice(), batch.Stdin)
	if isInput {
		uses++
	}
	switch {
	case uses > 1:
		return usagef(c.Command.Name, "standard input is used twice; name a file instead")
	case isInput && keepsRecords(c):
		return usagef(c.Command.Name, "a run that can resume cannot read standard input; name a file")
	}
	return nil
}

// passwordLines returns the lines of a text, without empty ones: the empty password is always tried.
func passwordLines(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

func passwordFlags() []cli.Flag {
	return grouped(manual.Passwords,
		&cli.StringFlag{Name: "password-file", Usage: "`FILE` File with one password per line, or -"})
}

// passwordVariable is an environment variable whose lines are also passwords.
const passwordVariable = "WEBCAP_PASSWORD"

const (
	maxPasswordFile = 1 << 20 // in bytes; a larger file is not a list of passwords
	passwordTries   = 3       // at a terminal, as in login programs
)

// passwords returns the passwords of --password-file and of the environment, in the order in which they are tried. If
// there are none, and files among paths are encrypted, it asks at the terminal.
func (p *program) passwords(c *cli.Context, paths ...string) ([]string, error) {
	list, err := p.filePasswords(c)
	if err != nil {
		return nil, err
	}
	list = append(list, passwordLines(os.Getenv(passwordVariable))...)
	if len(list) == 0 && p.ask != nil {
		return p.asked(paths)
	}
	return list, nil
}

// filePasswords returns the passwords of --password-file.
func (p *program) filePasswords(c *cli.Context) ([]string, error) {
	if err := standardInputOnce(c); err != nil {
		return nil, err
	}
	name, in := c.String("password-file"), p.stdin
	switch name {
	case "":
		return nil, nil
	case batch.Stdin:
	default:
		f, err := infile.Open(name)
		if err != nil {
			return nil, usagef(c.Command.Name, "cannot read the password: %v", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxPasswordFile+1))
	if err == nil && len(text) > maxPasswordFile {
		err = fmt.Errorf("%s is longer than %d bytes", name, maxPasswordFile)
	}
	if err != nil {
		return nil, usagef(c.Command.Name, "cannot read the password: %v", err)
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
	case uses == 1 && c.String("password-file") == batch.Stdin:
		return usagef(c.Command.Name, "standard input is already used; name a file with --password-file")
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

// asked returns the passwords that the user types for encrypted files among paths. It does not ask for files in
// folders, because there may be too many.
func (p *program) asked(paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		for try := 0; try < passwordTries && locked(path, list); try++ {
			password, err := p.ask(path)
			if err != nil {
				return nil, fmt.Errorf("cannot read the password: %w", err)
			}
			list = append(list, password)
		}
	}
	return slices.Compact(list), nil
}

// locked reports whether a file needs a password that is not among passwords.
func locked(path string, passwords []string) bool {
	if st, err := os.Stat(path); path == batch.Stdin || err != nil || !st.Mode().IsRegular() {
		return false
	}
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: passwords})
	if err == nil {
		f.Close()
	}
	return errors.Is(err, webcapture.ErrPassword)
}

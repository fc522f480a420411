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
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

func passwordFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "password-file",
			Usage: "passwords for encrypted files: the lines of `FILE`, tried in turn"},
		&cli.StringFlag{Name: "password", Usage: "the `PASSWORD` itself, for everybody on the machine to see"},
	}
}

// passwordVariable is the environment variable whose lines are passwords, too.
const passwordVariable = "WEBCAP_PASSWORD"

const (
	maxPasswordFile = 1 << 20 // bytes; what is longer is not a list of passwords
	passwordTries   = 3       // at a terminal, as login programs have it
)

// passwords returns the passwords of the command line and the environment, in the
// order in which they are tried. If there are none, and files are named that are
// encrypted, the terminal is asked.
func (p *program) passwords(c *cli.Context, paths ...string) ([]string, error) {
	list, err := flagPasswords(c)
	if err != nil {
		return nil, err
	}
	list = append(list, passwordLines(os.Getenv(passwordVariable))...)
	if len(list) == 0 && p.ask != nil {
		return p.asked(paths)
	}
	return list, nil
}

func flagPasswords(c *cli.Context) ([]string, error) {
	file := c.String("password-file")
	if file == "" {
		if c.IsSet("password") {
			return []string{c.String("password")}, nil
		}
		return nil, nil
	}
	if c.IsSet("password") {
		return nil, usagef(c.Command.Name, "--password and --password-file exclude each other")
	}
	text, err := readPasswords(file)
	if err != nil {
		return nil, usagef(c.Command.Name, "cannot read the password: %v", err)
	}
	return passwordLines(text), nil
}

func readPasswords(path string) (string, error) {
	f, err := infile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPasswordFile+1))
	if err == nil && len(text) > maxPasswordFile {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxPasswordFile)
	}
	return string(text), err
}

// passwordLines returns the lines of a text. An empty one is not a password that has to be
// named: it is always tried.
func passwordLines(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// asked returns the passwords that the user types for the files that
// do not open without. A folder has too many files to ask for each.
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

// locked reports whether a file needs a password that is not in a list.
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

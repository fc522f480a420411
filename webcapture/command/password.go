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
	if err := checkPasswordFile(c); err != nil {
		return nil, err
	}
	file := c.String("password-file")
	switch file {
	case "":
		return nil, nil
	case batch.Stdin:
		return passwordsIn(file, p.stdin, c.Command.Name)
	}
	f, err := infile.Open(file)
	if err != nil {
		return nil, usagef(c.Command.Name, "cannot read the password: %v", err)
	}
	defer f.Close()
	return passwordsIn(file, f, c.Command.Name)
}

// checkPasswordFile returns an error if --password-file and something else read standard input.
func checkPasswordFile(c *cli.Context) error {
	if c.String("password-file") == batch.Stdin && readsStdin(c) {
		return usagef(c.Command.Name, "standard input is already used; name a file with --password-file")
	}
	return nil
}

// readsStdin reports whether a command reads data other than passwords from standard input.
func readsStdin(c *cli.Context) bool {
	files, _ := c.Value("files-from").([]string)
	return slices.Contains(c.Args().Slice(), batch.Stdin) ||
		slices.Contains(files, batch.Stdin) || c.String("urls-from") == batch.Stdin
}

// passwordsIn reads passwords, one per line.
func passwordsIn(name string, in io.Reader, command string) ([]string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxPasswordFile+1))
	if err == nil && len(text) > maxPasswordFile {
		err = fmt.Errorf("%s is longer than %d bytes", name, maxPasswordFile)
	}
	if err != nil {
		return nil, usagef(command, "cannot read the password: %v", err)
	}
	return passwordLines(string(text)), nil
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

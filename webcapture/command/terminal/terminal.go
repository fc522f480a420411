// Package terminal handles the user's terminal: its width, colors, a progress line among results, and a prompt for
// passwords.
package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Width returns the width of the terminal w, or 0 if w is not a terminal.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

// Restorer returns a function that restores the current state of the terminal. It is needed because a password
// prompt turns off echo.
func Restorer(stdin io.Reader) (restore func()) {
	in, isFile := stdin.(*os.File)
	if !isFile || !term.IsTerminal(int(in.Fd())) {
		return func() {}
	}
	state, err := term.GetState(int(in.Fd()))
	if err != nil {
		return func() {}
	}
	return func() { term.Restore(int(in.Fd()), state) }
}

// PasswordPrompt returns a function that asks for the password of a file. It returns nil if there is no terminal.
func PasswordPrompt(stdin io.Reader, stderr io.Writer) func(path string) (string, error) {
	in, ok := stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || Width(stderr) == 0 {
		return nil
	}
	return func(path string) (string, error) {
		fmt.Fprintf(stderr, "password for %s: ", path)
		password, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(stderr)
		return string(password), err
	}
}

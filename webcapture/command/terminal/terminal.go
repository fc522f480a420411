// Package terminal handles the user's terminal: its width, colors, and a progress line among results.
package terminal

import (
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

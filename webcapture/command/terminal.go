package command

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalWidth returns the width of the terminal that w is; 0 if it is not one.
func terminalWidth(w io.Writer) int {
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

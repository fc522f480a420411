package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// ShowsColours reports whether the terminal f can show colors. It enables colors in a console, where they are off
// by default.
func ShowsColours(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return true // not a console, so the user asked for colors
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

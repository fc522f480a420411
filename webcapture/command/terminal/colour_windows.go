package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// ShowsColours reports whether the reader of f shows colours, and asks a console to
// do so: it does not by itself.
func ShowsColours(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return true // not a console: its reader asked for colours
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

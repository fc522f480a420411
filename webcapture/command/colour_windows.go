package command

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsColour reports whether what f leads to shows colours, and asks a console to
// do so: it does not by itself.
func showsColour(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return true // it is not a console, and whoever reads it wants colours
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

package command

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// timeoutFlag returns the option for the time limit. Commands that read PDF files have it.
func timeoutFlag() cli.Flag {
	return grouped(manual.Limits,
		&cli.StringFlag{Name: "timeout", Value: "60s", Usage: "`TIME` Time limit per file, such as 5m; 0 for none"})[0]
}

// timeoutOf returns the time limit, or 0 for none.
func timeoutOf(c *cli.Context) (time.Duration, error) {
	text := c.String("timeout")
	if text == "0" {
		return 0, nil
	}
	limit, err := time.ParseDuration(text)
	if seconds, noNumber := time.ParseDuration(text + "s"); err != nil && noNumber == nil && seconds > 0 {
		return 0, usagef(c.Command.Name, "--timeout needs a unit: use %ss", text)
	}
	if err != nil || limit < 0 {
		return 0, usagef(c.Command.Name, "--timeout must be a time such as 90s or 5m, not %q", text)
	}
	return limit, nil
}

// The memory limit of the Go runtime in commands about a few files. It is lower than the limit in docs/SECURITY.md,
// which includes the rest of the program.
const (
	baseHeap = 224 << 20 // for each run
	byteHeap = 2         // for each byte of the files
)

// saveMemory sets the memory limit of the Go runtime for a command about a few files. Close to the limit, the garbage
// collector runs more often. GOMEMLIMIT takes precedence.
func saveMemory(paths ...string) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit := int64(baseHeap)
	for _, path := range paths {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			limit += byteHeap * st.Size()
		}
	}
	debug.SetMemoryLimit(min(limit, debug.SetMemoryLimit(-1)))
}

// saveMemory sets the memory limit of the Go runtime for a command about a single file.
func (l *listedPaths) saveMemory() {
	if len(l.lists) > 0 || len(l.arguments) != 1 {
		return
	}
	if st, err := os.Stat(l.arguments[0]); err == nil && st.Mode().IsRegular() {
		saveMemory(l.arguments[0])
	}
}

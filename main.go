// Webcap audits the Web Capture content database of PDF files.
package main

import (
	"os"

	"github.com/webcap-tools/webcap/webcapture/command"
)

func main() { os.Exit(command.Run(os.Args, os.Stdin, os.Stdout, os.Stderr)) }

// Pdfcpu runs an operation of pdfcpu for the tool matrix: pdfcpu OPERATION IN OUT [OTHER].
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/api"
)

var operations = map[string]func(in, out, other string) error{
	"optimize": func(in, out, _ string) error { return api.OptimizeFile(in, out, nil) },
	"collect":  func(in, out, _ string) error { return api.CollectFile(in, out, []string{"1-"}, nil) },
	"trim":     func(in, out, _ string) error { return api.TrimFile(in, out, []string{"1"}, nil) },
	"rotate":   func(in, out, _ string) error { return api.RotateFile(in, out, 90, nil, nil) },
	"insert":   func(in, out, _ string) error { return api.InsertPagesFile(in, out, []string{"1"}, true, nil, nil) },
	"split":    split,
	"merge": func(in, out, other string) error {
		return api.MergeCreateFile([]string{in, other}, out, false, nil)
	},
}

// split leaves the first page in out.
func split(in, out, _ string) error {
	dir, err := os.MkdirTemp("", "split")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := api.SplitFile(in, dir, 1, nil); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(filepath.Base(in), ".pdf")+"_1.pdf"))
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o600)
}

func main() {
	api.DisableConfigDir()
	args := append(os.Args, "")
	if err := operations[args[1]](args[2], args[3], args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "pdfcpu:", err)
		os.Exit(1)
	}
}

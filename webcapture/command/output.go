package command

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/format"
)

// resultFlags are the options of commands that write the results of audits.
func resultFlags() []cli.Flag {
	return slices.Concat(grouped(manual.Output,
		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, DefaultText: "table, without -o",
			Usage: "`FORMAT` Format of standard output [possible: " + strings.Join(formatNames(), ", ") + "]"},
		&cli.GenericFlag{Name: "output", Aliases: []string{"o"}, Value: new(stringList),
			Usage: "`FILE` Write to FILE (.html, .json, .csv, …)"},
		switchFlag("exit-zero", "Exit with 0 despite findings"),
		switchFlag("allow-empty", "Exit with 0 if there is nothing to audit"),
	), grouped(manual.Rules, &cli.StringFlag{Name: "fail-on", Value: "error",
		Usage: "`LEVEL` Lowest level that exits with 1 [possible: error, warning, note]"}))
}

// formatNames returns the names of the formats.
func formatNames() []string {
	var names []string
	for _, f := range format.All() {
		names = append(names, f.Name)
	}
	return names
}

// either lists names of which one is meant.
func either(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// levelOf returns the level of --fail-on.
func levelOf(c *cli.Context) rule.Level {
	level := rule.Note
	for level < rule.Error && level.String() != c.String("fail-on") {
		level++
	}
	return level
}

// output is a format and its destination.
type output struct {
	format report.Format
	path   string // "" for standard output

	w    report.Writer
	file *resultFile // nil for standard output
	err  error       // error of writing; no more output after it
}

// outputs returns the outputs that the options request. Files come first: standard output is last, because it may
// block. inputs are the files that the command reads.
func outputs(c *cli.Context, inputs []string) (list []*output, err error) {
	for _, path := range allOf(c, "output") {
		f, err := formatOf(path)
		if err != nil {
			return nil, usagef(c.Command.Name, "%v", err)
		}
		for _, o := range list {
			if sameFile(o.path, path) {
				return nil, usagef(c.Command.Name, "-o %s and -o %s are the same file", o.path, path)
			}
		}
		if slices.ContainsFunc(inputs, func(in string) bool { return sameFile(in, path) }) {
			return nil, usagef(c.Command.Name, "%s is an input; write the results to another file", path)
		}
		list = append(list, &output{format: f, path: path})
	}
	if c.IsSet("format") || len(list) == 0 {
		f, _ := format.Lookup(cmp.Or(c.String("format"), "table"))
		list = append(list, &output{format: f})
	}
	return list, nil
}

// extensions maps file name extensions to formats.
var extensions = map[string]string{
	".txt": "table", ".json": "json", ".ndjson": "ndjson", ".html": "html", ".htm": "html", ".csv": "csv",
	".md": "markdown", ".sarif": "sarif", ".xml": "junit",
}

// formatOf returns the format of a value of --output.
func formatOf(path string) (report.Format, error) {
	if path == "" || path == batch.Stdin || strings.HasSuffix(path, "/") {
		return report.Format{}, fmt.Errorf("-o %s: name a file, as in -o report.html; -f FORMAT is for standard output", path)
	}
	f, ok := format.Lookup(extensions[strings.ToLower(filepath.Ext(path))])
	if !ok {
		return f, fmt.Errorf("-o %s: the extension must be %s", path, either(slices.Sorted(maps.Keys(extensions))))
	}
	return f, nil
}

// wantsSHA256 reports whether one of the formats shows the SHA-256 of each file.
func wantsSHA256(outs []*output) bool {
	return slices.ContainsFunc(outs, func(o *output) bool { return o.format.SHA256 })
}

// isArchive reports whether a path is a regular file that is an archive.
func isArchive(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	kind, err := archive.KindOf(f, info.Size(), path)
	return err == nil && kind.IsArchive()
}

// sameFile reports whether two paths refer to the same file, which may not exist yet.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX != nil && errY != nil && filepath.Base(a) == filepath.Base(b) { // compare the folders
		x, errX = os.Stat(filepath.Dir(a))
		y, errY = os.Stat(filepath.Dir(b))
	}
	return errX == nil && errY == nil && os.SameFile(x, y)
}

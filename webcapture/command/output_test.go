package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// audits fails unless an audit exits with one code in every format, to standard output and to a file, and so does a
// report of its results: audits CODE [ARGUMENT...]
//
// It starts no process, because there are a thousand runs, and by default it runs only a sample.
func audits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: audits CODE [ARGUMENT...]")
	}
	code, args := args[0], slices.Clone(args[1:])
	exits := func(command ...string) {
		command = append([]string{code, "webcap"}, command...)
		ends(ts, command, inProcess(ts, io.Discard, ts.Stderr(), command[1:]))
	}
	for _, f := range webcapturetest.Sample(5, format.All()) {
		exits(append([]string{"audit", "--format", f.Name}, args...)...)
	}
	exits(slices.Concat([]string{"audit"}, allOutputs("out."), args)...)
	for _, results := range []string{"out.json", "out.ndjson"} {
		path := ts.MkAbs(results)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && code == "2" {
			continue
		}
		command := []string{"report", path}
		for i, a := range args {
			if a == "--fail-on" {
				command = append(command, a, args[i+1])
			}
		}
		exits(slices.Concat(command, allOutputs("again."))...)
		ts.Check(os.Remove(path))
	}
}

// extensionOf returns an extension that stands for a format.
func extensionOf(format string) string {
	for _, extension := range slices.Sorted(maps.Keys(extensions)) {
		if extensions[extension] == format {
			return extension
		}
	}
	return ""
}

// allOutputs requests results in every format, each at a path that ends with its extension.
func allOutputs(path string) []string {
	var args []string
	for _, f := range format.All() {
		args = append(args, "--output", path+strings.TrimPrefix(extensionOf(f.Name), "."))
	}
	return args
}

// auditCases writes the files of testdata/audit to a folder, and returns their paths.
func auditCases(t *testing.T, dir string) (files []string) {
	t.Helper()
	cases, err := filepath.Glob(root + "/testdata/audit/*.txtar")
	if err != nil || len(cases) < 100 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		text, err := os.ReadFile(c)
		if err != nil {
			t.Fatal(err)
		}
		_, objects, _ := strings.Cut(string(text), "-- objects --\n")
		objects, _, _ = strings.Cut(objects, "\n-- ")
		doc, err := webcapturetest.Parse(objects)
		if err != nil {
			continue // a case of another runner
		}
		file := filepath.Join(dir, strings.TrimSuffix(filepath.Base(c), "txtar")+"pdf")
		if err := os.WriteFile(file, doc.Bytes(webcapturetest.Layout{}), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// strange makes files with all variants of records, and returns the paths to audit: the cases of testdata/audit,
// and files that are hard to read or to name.
func strange(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	auditCases(t, dir)
	site := webcapturetest.Sets(3, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	write("cut.pdf", site[:len(site)/2])
	write("empty.pdf", nil)
	if runtime.GOOS != "windows" {
		write("line\nend, \"quoted\" <b>&amp;: %41#?.pdf", site)
		if runtime.GOOS == "linux" {
			write("latin-1 \xe4.pdf", site)
		}
	}
	return []string{
		dir, filepath.Join(dir, "gone.pdf"), t.TempDir(),
		root + "/testdata/site.pdf", root + "/testdata/site-optimized.pdf",
	}
}

// A report of old results has the same bytes as the output of the audit, in every format.
func TestReportIsAsTheAudit(t *testing.T) {
	inputs, dir := strange(t), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	args := append([]string{"audit", "--source", root + "/testdata/capture.warc"}, allOutputs(path("audit."))...)
	var out bytes.Buffer
	if code, stderr := run(nil, &out, append(args, inputs...)...); code != exitFailed || out.Len() > 0 {
		t.Fatalf("audit: exit %d, stdout %q, stderr %s", code, out.String(), stderr)
	}
	for _, results := range webcapturetest.Sample(2, []string{"audit.json", "audit.ndjson"}) {
		code, stderr := run(nil, io.Discard,
			append([]string{"report", path(results)}, allOutputs(path("of-"+results+"."))...)...)
		if code != exitFailed {
			t.Fatalf("report of %s: exit %d, stderr %s", results, code, stderr)
		}
		for _, f := range format.All() {
			got := made.ReplaceAllString(readFile(t, path("of-"+results+extensionOf(f.Name))), "")
			want := made.ReplaceAllString(readFile(t, path("audit"+extensionOf(f.Name))), "")
			if got != want {
				t.Errorf("%s as %s is not what the audit wrote: %s", results, f.Name, firstDifference(got, want))
			}
		}
	}
}

func firstDifference(got, want string) string {
	a, b := lines(got), lines(want)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "line " + a[i] + "\nwant " + b[i]
		}
	}
	return "it ends elsewhere"
}

// An interrupted audit leaves no file under its name, or the old one.
func TestInterruptedOutput(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.json")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	p := &program{stdout: bufio.NewWriter(&out), stderr: &errs}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err := p.run(ctx, []string{"webcap", "audit", "--format", "table", "--output", old, "--output",
		filepath.Join(dir, "new.txt"), root + "/testdata/site.pdf"})
	if code := p.exit(err); code != exitFailed || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit %d, stderr %s", code, errs.String())
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v, want one", entries, err)
	}
	if b, err := os.ReadFile(old); err != nil || string(b) != "old" {
		t.Errorf("the old results are %q, %v", b, err)
	}
}

// Output that is written in place, because it is not a regular file, is valid when the audit is interrupted.
func TestInterruptedOutputThroughLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege")
	}
	dir := t.TempDir()
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink("a.json", link); err != nil {
		t.Fatal(err)
	}
	p := &program{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err := p.run(ctx, []string{"webcap", "audit", "--output", link, root + "/testdata/site.pdf"})
	if code := p.exit(err); code != exitFailed {
		t.Errorf("exit %d", code)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.json")); err != nil ||
		!strings.Contains(string(b), `"complete":false,"end":"interrupted"}`) {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

// An error about a temporary file of a format says so, after the name of the output.
func TestOutputWithoutTemporaryFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "gone"))
	t.Setenv("TMP", filepath.Join(dir, "gone")) // of Windows
	broken := bytes.ReplaceAll(webcapturetest.Sets(500, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}),
		[]byte("(http://"), []byte("(HTTP://"))
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.pdf", i)), broken, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page := filepath.Join(dir, "a.html")
	code, stderr := run(nil, io.Discard, "audit", dir, "--output", page)
	if want := "cannot write " + page + ": temporary file: open "; code != exitFailed ||
		!strings.Contains(stderr, want) {
		t.Errorf("exit %d, stderr %s, want %s", code, stderr, want)
	}
}

// A replaced file keeps its permissions, and a link stays a link.
func TestOutputReplaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links are others")
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.json"), filepath.Join(dir, "link.json")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o640), os.Symlink("a.json", link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, link} {
		t.Run(path, func(t *testing.T) {
			if code, stderr := run(nil, io.Discard, "audit", root+"/testdata/site.pdf", "--output",
				path); code != exitClean {
				t.Fatalf("%s: exit %d: %s", path, code, stderr)
			}
			st, err := os.Stat(file)
			if err != nil || st.Mode().Perm() != 0o640 || st.Size() < 100 {
				t.Errorf("%s: %v, %v", path, st, err)
			}
			if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("%s: the link is %v, %v", path, st, err)
			}
		})
	}
}

// An error on standard output does not stop output to a file.
func TestFullStdoutBesideFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	code, stderr := run(nil, &fullWriter{0}, "audit", "--format", "table", "--output", file,
		root+"/testdata/site.pdf", root+"/testdata/site.pdf")
	if want := "webcap: cannot write the results: no space left on device\n"; code != exitFailed || stderr != want {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), `"inputs":2,`) {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

// TestWhatNeedsSHA256: files are hashed only if an output shows the SHA-256, or an option needs it.
func TestWhatNeedsSHA256(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		args  []string
		needs bool
	}{
		{nil, false},
		{[]string{"--format", "sarif"}, false},
		{[]string{"--format", "csv"}, true},
		{[]string{"-o", filepath.Join(dir, "a.html")}, false},
		{[]string{"-o", filepath.Join(dir, "a.json")}, true},
		{[]string{"--journal", filepath.Join(dir, "journal")}, true},
	} {
		p := &program{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
		c, _, err := parseLine(t.Context(), p.app(), slices.Concat([]string{"audit", "--config", "none"}, tt.args,
			[]string{root + "/testdata/site.pdf"}))
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.parseAudit(c)
		if err != nil {
			t.Fatal(err)
		}
		defer a.paths.close()
		r := new(auditRun)
		if err := p.prepare(c, a, r); err != nil || r.opt.NoHash == tt.needs {
			t.Errorf("%q: %v, %v", tt.args, r.opt.NoHash, err)
		}
	}
}

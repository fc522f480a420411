//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const site = "../../testdata/site.pdf"

// outIn returns the path of a file in a new folder.
func outIn(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(t.TempDir(), name)
}

// fileWith writes a file, and returns its path.
func fileWith(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := outIn(t, name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// clean returns the path of a PDF without findings.
func clean(t *testing.T) string {
	t.Helper()
	return fileWith(t, "clean.pdf", webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}))
}

// resultsIn returns the records of an NDJSON file.
func resultsIn(t *testing.T, path string) (list []*report.Record) {
	t.Helper()
	r, err := report.NewReader(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if err != nil {
			if err.Error() != "EOF" {
				t.Errorf("the results end with %v", err)
			}
			return list
		}
		list = append(list, rec)
	}
}

func TestAbout(t *testing.T) {
	a := ask[aboutPage](t, request{Op: "about"})
	var rules, formats []string
	for _, r := range a.Rules {
		rules = append(rules, r.ID)
	}
	for _, f := range a.Formats {
		formats = append(formats, f.Name)
	}
	var wantRules, wantFormats []string
	for _, r := range audit.Rules() {
		wantRules = append(wantRules, r.ID)
	}
	for _, f := range format.All() {
		wantFormats = append(wantFormats, f.Name)
	}
	if !slices.Equal(rules, wantRules) || !slices.Equal(formats, wantFormats) || a.Version != version {
		t.Errorf("version %q, rules %q, formats %q", a.Version, rules, formats)
	}
	if want := []string{"table", "json", "ndjson", "csv", "html"}; !slices.Equal(a.Captures, want) {
		t.Errorf("formats of captures %q, want %q", a.Captures, want)
	}
}

// The answer and the record of an audit agree with those of the packages.
func TestAuditAnswers(t *testing.T) {
	sets := clean(t)
	for _, tt := range []struct {
		name, path, outcome, worst string
		whole                      bool
	}{
		{"findings", damaged, "findings", "error", true}, {"no findings", sets, "clean", "", true},
		{"a text", fileWith(t, "a.pdf", []byte("text")), "error", "", false},
		{"no file", outIn(t, "gone"), "error", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := request{Op: "audit", Path: tt.path, Out: outIn(t, "results")}
			res := ask[auditResult](t, r)
			if res.Outcome != tt.outcome || res.Worst != tt.worst || res.Result == "" || (len(res.Levels) == 3) != tt.whole {
				t.Errorf("answer %+v", res)
			}
			list := resultsIn(t, r.Out)
			if len(list) != 1 || list[0].Path != tt.path || list[0].Outcome().String() != tt.outcome {
				t.Fatalf("records %+v", list)
			}
			rec := list[0]
			if (rec.Report != nil) != tt.whole || rec.Seconds <= 0 || (rec.SHA256 != "") != tt.whole {
				t.Errorf("record %+v", rec)
			}
			if !tt.whole {
				return
			}
			alone, err := audit.Bytes(t.Context(), tt.path, read(t, tt.path), audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Report.Findings) != len(alone.Findings) || rec.Size != int64(len(read(t, tt.path))) ||
				rec.Report.Path != tt.path {
				t.Errorf("record %+v, want the report %+v", rec, alone)
			}
		})
	}
}

// An operation without a place for its output fails with the reason, without the name of the system call.
func TestOutputFails(t *testing.T) {
	out := filepath.Join(outIn(t, "gone"), "out")
	results := outIn(t, "results")
	ask[auditResult](t, request{Op: "audit", Path: damaged, Out: results})
	for _, r := range []request{
		{Op: "audit", Path: damaged}, {Op: "report", Format: "json", Paths: []string{results}},
		{Op: "captures", Format: "csv", Paths: []string{damaged}},
		{Op: "find", Format: "json", Query: "http://h/", Paths: []string{damaged}},
	} {
		t.Run(r.Op, func(t *testing.T) {
			r.Out = out
			if f := refused(t, r); f.Error != "no such file or directory" {
				t.Errorf("error %q", f.Error)
			}
			if _, err := os.Stat("/dev/full"); err != nil {
				return // not on this system
			}
			r.Out = "/dev/full"
			if f := refused(t, r); !strings.Contains(f.Error, "no space left") {
				t.Errorf("on a full disk: error %q", f.Error)
			}
		})
	}
}

// Each operation says what is wrong with its arguments.
func TestWrongArguments(t *testing.T) {
	out, gone, text := outIn(t, "out"), outIn(t, "gone"), fileWith(t, "text", []byte("text"))
	cut := outIn(t, "cut")
	ask[auditResult](t, request{Op: "audit", Path: damaged, Out: cut})
	os.WriteFile(cut, bytes.Replace(read(t, cut), []byte(`{"type":"finding"`), []byte(`{"type":finding`), 1), 0o666)
	const missing = "no such file or directory"
	for _, tt := range []struct {
		name string
		r    request
		want string
	}{
		{"a format of a report", request{Op: "report", Format: "x"}, `no format "x"`},
		{"results that are missing", request{Op: "report", Format: "json", Paths: []string{gone}}, missing},
		{"results that are not results", request{Op: "report", Format: "json", Paths: []string{text}},
			"not the results of webcap audit"},
		{"results that are damaged", request{Op: "report", Format: "json", Paths: []string{cut}}, "line 3"},
		{"a format of captures", request{Op: "captures", Format: "x"}, `no format "x"`},
		{"a format of keys", request{Op: "keys", Format: "x"}, `no format "x"`},
		{"a format of matches", request{Op: "find", Format: "x", Query: "http://h/"}, `no format "x"`},
		{"no file of a plan", request{Op: "plan", Path: gone}, missing},
		{"no file of a repair", request{Op: "repair", Path: gone}, missing},
		{"no original", request{Op: "repair", Path: damaged, From: gone}, missing},
		{"no file of a comparison", request{Op: "diff", Path: gone, From: site}, missing},
		{"a negative step", request{Op: "plan", Path: damaged, Without: []int{-1}}, "no step 0"},
		{"no folder of a repaired file", request{Op: "repair", Path: damaged, Out: filepath.Join(gone, "x")}, "no such"},
		{"nothing to repair", request{Op: "repair", Path: clean(t)}, "there is nothing to repair"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.r.Out == "" {
				tt.r.Out = out
			}
			if f := refused(t, tt.r); !strings.Contains(f.Error, tt.want) {
				t.Errorf("error %q, want %q", f.Error, tt.want)
			}
		})
	}
	if p := ask[plan](t, request{Op: "plan", Path: damaged, Without: []int{0}}); len(p.Steps) != 6 {
		t.Errorf("%d steps without the first of 7", len(p.Steps))
	}
}

// A report has the results, the inputs that failed, and whether it is complete.
func TestReportOfAPartialRun(t *testing.T) {
	results := outIn(t, "results")
	ask[auditResult](t, request{Op: "audit", Path: damaged, Out: results})
	for _, partial := range []bool{false, true} {
		r := request{Op: "report", Format: "ndjson", Paths: []string{results, results}, Out: outIn(t, "out"),
			Partial: partial,
			Failed:  []failed{{"late.pdf", "timeout", "gave up"}, {"bad.pdf", "error", "unreadable"}}}
		ask[written](t, r)
		text := string(read(t, r.Out))
		if strings.Contains(text, `"complete":true`) == partial || strings.Contains(text, `"complete":false`) != partial {
			t.Errorf("partial: %v, and the summary is %s", partial, text[strings.LastIndex(text, `{"type"`):])
		}
		var got []string
		for _, rec := range resultsIn(t, r.Out) {
			got = append(got, rec.Path+" "+rec.Outcome().String()+" "+rec.Reason())
		}
		want := []string{damaged + " findings ", damaged + " findings ", "late.pdf timeout gave up",
			"bad.pdf error unreadable"}
		if !slices.Equal(got, want) {
			t.Errorf("records %q, want %q", got, want)
		}
	}
}

// Lists of captures and matches have each file in order, with the reason if it is unreadable.
func TestListsOfSeveralFiles(t *testing.T) {
	gone, locked := outIn(t, "gone.pdf"), fileWith(t, "locked.pdf", webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(
		webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6, User: "open"}}))
	broken := fileWith(t, "broken.pdf", bytes.Replace(read(t, site), []byte("startxref"), []byte("startxxxx"), 1))
	paths := []string{gone, damaged, locked, broken}
	for _, r := range []request{
		{Op: "captures", Format: "ndjson", Passwords: []string{"", "open"}},
		{Op: "find", Format: "ndjson", Passwords: []string{"open"},
			Query: "http://www.example.org/archive/00000001/index.html?rev=1"},
	} {
		t.Run(r.Op, func(t *testing.T) {
			var phases []string
			r.Paths, r.Out = paths, outIn(t, "out")
			if answer := call(encode(r), func(what string) { phases = append(phases, what) }); string(answer) != "{}" {
				t.Fatalf("answer %s", answer)
			}
			if !slices.Equal(phases, paths) {
				t.Errorf("phases %q, want %q", phases, paths)
			}
			var inputs []string
			text := string(read(t, r.Out))
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, `{"schema":`) {
					inputs = append(inputs, line)
				}
			}
			if len(inputs) != len(paths) {
				t.Fatalf("list\n%s", text)
			}
			for i, path := range paths {
				hasError := strings.Contains(inputs[i], "no such file or directory")
				if !strings.Contains(inputs[i], path) || hasError != (path == gone) ||
					strings.Contains(inputs[i], `"outcome":"error"`) != (path == gone) {
					t.Errorf("%s: %s", path, inputs[i])
				}
				size := 0
				if path != gone {
					size = len(read(t, path))
				}
				if size > 0 && !strings.Contains(inputs[i], fmt.Sprintf(`"size":%d`, size)) {
					t.Errorf("%s has %d bytes: %s", path, size, inputs[i])
				}
			}
		})
	}
}

// A plan says why it may not be carried out, and what would allow it.
func TestRefusedPlans(t *testing.T) {
	forbidden := fmt.Errorf("x: %w", rewrite.ErrForbidden)
	for err, want := range map[error]string{forbidden: "breakSignatures", rewrite.ErrAppend: "full", errors.New("x"): ""} {
		if got := remedyOf(err); got != want {
			t.Errorf("the remedy of %v is %q, want %q", err, got, want)
		}
	}
	path := fileWith(t, "damaged.pdf", bytes.ReplaceAll(read(t, damaged), []byte("startxref"), []byte("startxxxx")))
	r := request{Op: "repair", Path: path, Out: outIn(t, "out")}
	if f := refused(t, r); f.Remedy != "full" {
		t.Errorf("a damaged file: %+v, want the remedy full", f)
	}
	r.Full = true
	if answer := ask[repaired](t, r); answer.Text == "" {
		t.Errorf("answer %+v", answer)
	}
}

// Each phase of the work is reported, in order.
func TestPhasesOfOperations(t *testing.T) {
	for _, tt := range []struct {
		r    request
		want []string // the first phases
	}{
		{request{Op: "audit", Path: damaged}, []string{"computing the SHA-256", "reading the name trees"}},
		{request{Op: "plan", Path: damaged}, []string{"planning the repair"}},
		{request{Op: "repair", Path: damaged}, []string{"planning the repair", "writing the repaired file and auditing it"}},
		{request{Op: "diff", Path: damaged, From: site}, []string{"comparing with the original"}},
	} {
		t.Run(tt.r.Op, func(t *testing.T) {
			var got []string
			tt.r.Out = outIn(t, "out")
			call(encode(tt.r), func(what string) { got = append(got, what) })
			if len(got) < len(tt.want) || !slices.Equal(got[:len(tt.want)], tt.want) {
				t.Errorf("phases %q, want %q first", got, tt.want)
			}
		})
	}
}

// endingContext is canceled when it was asked a number of times whether it has ended.
type endingContext struct {
	context.Context
	cancel func()
	left   atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// An operation that is canceled at any time says so, or its result is whole.
func TestCanceledAnywhere(t *testing.T) {
	for name, r := range map[string]request{
		"audit": {}, "captures": {Format: "ndjson"}, "plan": {Without: []int{0}}, "diff": {From: site},
		"find": {Format: "ndjson", Query: "http://www.example.org/archive/00000001/index.html?rev=1"},
	} {
		t.Run(name, func(t *testing.T) {
			r.Path, r.Paths, r.Out = damaged, []string{damaged}, outIn(t, "out")
			run := func(n int) (text string, left int) {
				c := &endingContext{}
				c.left.Store(int64(n))
				c.Context, c.cancel = context.WithCancel(t.Context())
				defer c.cancel()
				answer, err := operations[name](c, &r, func(string) {})
				text = string(encode(answer)) + fmt.Sprint(err)
				if out, err := os.ReadFile(r.Out); err == nil {
					text += string(out)
				}
				return regexp.MustCompile(`"seconds":[^,}]*`).ReplaceAllString(text, ""), int(c.left.Load())
			}
			const many = 1 << 20
			whole, left := run(many)
			checks := many - left
			for n := 0; n < checks; n += max(checks/100, 1) {
				if got, _ := run(n); got != whole && !strings.Contains(got, "context canceled") {
					t.Fatalf("canceled at check %d of %d: %.500s\nwant\n%.500s", n, checks, got, whole)
				}
			}
		})
	}
}

// misplaced returns files of which one object each is not where the cross-reference table says. webcap notices this
// when it reads the object, and starts again.
func misplaced(t *testing.T) (paths []string) {
	t.Helper()
	data := webcapturetest.Sets(3, webcapturetest.Options{Images: 1}).Bytes(webcapturetest.Layout{})
	for i, at := range regexp.MustCompile(`\d{10} 00000 n`).FindAllIndex(data, -1) {
		changed := bytes.Clone(data)
		changed[at[0]+9] ^= 1
		paths = append(paths, fileWith(t, fmt.Sprintf("%d.pdf", i), changed))
	}
	if len(paths) < 10 {
		t.Fatalf("%d files", len(paths))
	}
	return paths
}

// Files with misplaced objects are audited and searched like others.
func TestMisplacedObjects(t *testing.T) {
	out := outIn(t, "out")
	paths := misplaced(t)
	for _, path := range paths {
		want, err := audit.Bytes(t.Context(), path, read(t, path), audit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ask[auditResult](t, request{Op: "audit", Path: path, Out: out})
		if rec := resultsIn(t, out)[0]; rec.Err != nil || rec.Report.WithoutXRef != want.WithoutXRef ||
			len(rec.Report.Findings) != len(want.Findings) {
			t.Errorf("%s: record %+v, want %+v", path, rec, want)
		}
	}
	ask[written](t, request{Op: "find", Format: "ndjson", Paths: paths, Out: out,
		Query: "http://www.example.org/archive/00000001/index.html?rev=1"})
	if n := bytes.Count(read(t, out), []byte(`"answer":"found"`)); n != len(paths) {
		t.Errorf("found in %d of %d files", n, len(paths))
	}
}

// The lists of captures and keys are those of the command line, also for damaged files. The page computes no digests.
func TestListsAreThoseOfTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	paths := []string{damaged, fileWith(t, "sets.pdf", webcapturetest.Sets(30,
		webcapturetest.Options{Images: 2}).Bytes(webcapturetest.Layout{}))}
	paths = append(paths, misplaced(t)...)
	bases := audittest.Generated(t)
	for i, op := range audittest.Mutations {
		data, ok := bases[i%len(bases)].Break(op)
		if !ok {
			continue
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d.pdf", i))
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for _, name := range []string{"ndjson", "csv", "json", "table"} {
		writesAs(t, request{Op: "captures", Format: name, Paths: paths}, append([]string{"list", "-f", name}, paths...))
	}
	for _, path := range paths {
		writesAs(t, request{Op: "keys", Format: "json", Path: path}, []string{"keys", "-f", "json", path})
	}
}

// writesAs makes sure that an operation writes what a command prints, except for digests.
func writesAs(t *testing.T, r request, args []string) {
	t.Helper()
	r.Out = outIn(t, "out")
	ask[written](t, r)
	var want, errs bytes.Buffer
	command.Run(append([]string{"webcap"}, args...), strings.NewReader(""), &want, &errs)
	plain := regexp.MustCompile(`"sha256":"[0-9a-f]*",|\b[0-9a-f]{64}\b`)
	got, printed := plain.ReplaceAllString(string(read(t, r.Out)), ""), plain.ReplaceAllString(want.String(), "")
	if got == printed {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(printed, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s %s: line %d is\n%.900s\nwant\n%.900s", r.Op, r.Format, i+1, a[i], b[i])
		}
	}
	t.Fatalf("%s %s: %d lines, want %d; %s", r.Op, r.Format, len(a), len(b), &errs)
}

// The last part of a report or a list may be what does not fit on the disk.
func TestFullDiskAtTheEnd(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // not on this system
	}
	var all []request
	for _, f := range format.All() {
		all = append(all, request{Op: "report", Format: f.Name}, request{Op: "report", Format: f.Name, Partial: true})
	}
	for _, name := range []string{"json", "html"} {
		all = append(all, request{Op: "captures", Format: name}, request{Op: "find", Format: name, Query: "http://h/"})
	}
	for _, r := range all {
		out := outIn(t, "out")
		r.Out = out
		if r.Op == "find" && r.Format == "html" {
			continue // there is no such format
		}
		ask[written](t, r)
		if len(read(t, out)) == 0 {
			continue // nothing to write
		}
		r.Out = "/dev/full"
		if f := refused(t, r); !strings.Contains(f.Error, "no space left") {
			t.Errorf("%s as %s: %q", r.Op, r.Format, f.Error)
		}
	}
}

// A document that forbids changes has a plan that says so, and that it may be broken.
func TestPlanOfAForbiddenChange(t *testing.T) {
	data := bytes.Replace(webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}),
		[]byte("/Catalog"),
		[]byte("/Catalog /Perms << /UR 5 >>"), 1)
	if !bytes.Contains(data, []byte("/Perms")) {
		t.Fatal("the file has no plain catalog")
	}
	r := request{Op: "plan", Path: fileWith(t, "forbidden.pdf", data)}
	if p := ask[plan](t, r); p.Refused == nil || p.Refused.Remedy != "breakSignatures" || p.Refused.Error == "" {
		t.Errorf("refused: %+v", p.Refused)
	}
	r.BreakSignatures = true
	if p := ask[plan](t, r); p.Refused != nil {
		t.Errorf("although it is allowed: %+v", p.Refused)
	}
	if f := refused(t, request{Op: "plan", Path: outIn(t, "gone"),
		Without: []int{0}}); f.Error != "no such file or directory" {
		t.Errorf("error %q", f.Error)
	}
}

// open passes on the error of its function, and the record of an audit names the file.
func TestOpen(t *testing.T) {
	wrong := errors.New("wrong")
	if err := open(t.Context(), site, nil, func(*webcapture.File) error { return wrong }); err != wrong {
		t.Errorf("error %v, want %v", err, wrong)
	}
	rec := recordOf(t.Context(), &request{Path: site}, func(string) {})
	if rec.Err != nil || rec.Path != site || rec.Report.Path != site {
		t.Errorf("record %+v", rec)
	}
}

// A full disk ends an operation on several files early. The error is that of the disk, not of a later file.
func TestFullDiskEndsEarly(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // not on this system
	}
	results, gone := outIn(t, "results"), outIn(t, "gone")
	ask[auditResult](t, request{Op: "audit", Path: damaged, Out: results})
	for _, r := range []request{
		{Op: "report", Format: "ndjson", Paths: slices.Repeat([]string{results}, 100)},
		{Op: "captures", Format: "ndjson", Paths: slices.Repeat([]string{damaged}, 20)},
		{Op: "find", Format: "ndjson", Query: "http://h/", Paths: slices.Repeat([]string{damaged}, 300)},
	} {
		t.Run(r.Op, func(t *testing.T) {
			r.Out, r.Paths = "/dev/full", append(r.Paths, gone)
			phases := 0
			answer := string(call(encode(r), func(string) { phases++ }))
			if !strings.Contains(answer, "no space left") || strings.Contains(answer, "no such file") ||
				phases == len(r.Paths) {
				t.Errorf("answer %s after %d files", answer, phases)
			}
		})
	}
}

//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) { os.Exit(webcapturetest.Run(m)) }

const damaged = "../../testdata/site-optimized.pdf"

// ask calls an operation, and decodes the answer.
func ask[T any](t *testing.T, r request) (answer T) {
	t.Helper()
	text := call(encode(r), func(string) {})
	var failed failure
	if json.Unmarshal(text, &failed); failed.Error != "" {
		t.Fatalf("%s: %s", r.Op, failed.Error)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// refused calls an operation that fails.
func refused(t *testing.T, r request) (f failure) {
	t.Helper()
	if err := json.Unmarshal(call(encode(r), func(string) {}), &f); err != nil || f.Error == "" {
		t.Fatalf("%s does not fail: %v", r.Op, err)
	}
	return f
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// byCommand returns the file that the command line writes.
func byCommand(t *testing.T, arguments ...string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.pdf")
	var errs bytes.Buffer
	args := append([]string{"webcap", "rewrite", "-o", out}, arguments...)
	if code := command.Run(args, strings.NewReader(""), io.Discard, &errs); code > 1 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	return read(t, out)
}

func TestRepairIsThatOfTheCommandLine(t *testing.T) {
	for name, r := range map[string]request{
		"update":   {},
		"full":     {Full: true},
		"original": {From: "../../testdata/site.pdf"},
	} {
		t.Run(name, func(t *testing.T) {
			r.Op, r.Path, r.Out = "repair", damaged, filepath.Join(t.TempDir(), "repaired.pdf")
			ask[repaired](t, r)
			arguments := []string{damaged}
			if r.Full {
				arguments = append(arguments, "--full")
			}
			if r.From != "" {
				arguments = append(arguments, "--from", r.From)
			}
			if !bytes.Equal(read(t, r.Out), byCommand(t, arguments...)) {
				t.Error("the command line writes another file")
			}
		})
	}
}

// Steps that are not selected stay findings, and the others are carried out.
func TestRepairOfSelectedSteps(t *testing.T) {
	whole := ask[plan](t, request{Op: "plan", Path: damaged})
	if len(whole.Steps) != 7 || whole.Steps[1].Rules[0] != "WC303" {
		t.Fatalf("the plan is %+v", whole.Steps)
	}
	without := request{Op: "plan", Path: damaged, Without: []int{1, 2}}
	if less := ask[plan](t, without); len(less.Steps) != 5 || strings.Count(less.Text, "Not selected.") == 0 {
		t.Errorf("without two steps the plan is\n%s", less.Text)
	}
	without.Op, without.Out = "repair", filepath.Join(t.TempDir(), "repaired.pdf")
	ask[repaired](t, without)
	rest := ask[auditResult](t, request{Op: "audit", Path: without.Out, Out: filepath.Join(t.TempDir(), "results")})
	if rest.Levels["error"] != 2 {
		t.Errorf("%d errors remain, want the 2 that were not selected", rest.Levels["error"])
	}
	if f := refused(t, request{Op: "plan", Path: damaged, Without: []int{7}}); !strings.Contains(f.Error, "no step 8") {
		t.Errorf("a step that does not exist: %s", f.Error)
	}
}

// Every format can be written from the results that the page keeps.
func TestReportsOfKeptResults(t *testing.T) {
	results, out := filepath.Join(t.TempDir(), "results"), filepath.Join(t.TempDir(), "report")
	res := ask[auditResult](t, request{Op: "audit", Path: damaged, Out: results})
	if res.Outcome != "findings" || res.Worst != "error" || res.Levels["error"] != 7 || res.Verdict == "" {
		t.Errorf("the audit is %+v", res)
	}
	for _, f := range format.All() {
		r := request{Op: "report", Format: f.Name, Paths: []string{results}, Out: out,
			Failed: []failed{{"late.pdf", "timeout", "gave up after 5 minutes"}}}
		ask[written](t, r)
		if text := string(read(t, out)); !strings.Contains(text, "WC303") {
			t.Errorf("%s has no finding:\n%.500s", f.Name, text)
		}
	}
}

func TestPasswords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "encrypted.pdf")
	doc := webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{
		Encryption: &webcapturetest.Encryption{Revision: 6, User: "open"}})
	if err := os.WriteFile(path, doc, 0o666); err != nil {
		t.Fatal(err)
	}
	r := request{Op: "audit", Path: path, Out: filepath.Join(t.TempDir(), "results")}
	if res := ask[auditResult](t, r); !res.Password || res.Outcome != "error" {
		t.Errorf("without a password: %+v", res)
	}
	r.Passwords = []string{"wrong", "open"}
	if res := ask[auditResult](t, r); res.Password || res.Outcome == "error" || res.Levels["error"] != 0 {
		t.Errorf("with the password: %+v", res)
	}
	if f := refused(t, request{Op: "plan", Path: path}); !f.Password {
		t.Errorf("a plan without a password: %+v", f)
	}
}

func TestCapturesAndFind(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	missing := filepath.Join(t.TempDir(), "missing.pdf")
	for _, name := range ask[aboutPage](t, request{Op: "about"}).Captures {
		ask[written](t, request{Op: "captures", Format: name, Paths: []string{damaged, missing}, Out: out})
		text := string(read(t, out))
		if !strings.Contains(text, "00000002/image.jpg") || !strings.Contains(text, "missing.pdf") {
			t.Errorf("%s:\n%.800s", name, text)
		}
	}
	find := request{Op: "find", Format: "json", Paths: []string{damaged}, Out: out,
		Query: "HTTP://www.example.org/archive/00000001/index.html?rev=1"}
	ask[written](t, find)
	if text := string(read(t, out)); !strings.Contains(text, `"answer":"found"`) {
		t.Errorf("found:\n%s", text)
	}
	if find.Query = "no url"; !strings.Contains(refused(t, find).Error, "no url") {
		t.Error("the error does not have the query")
	}
}

func TestComparison(t *testing.T) {
	c := ask[comparison](t, request{Op: "diff", Path: damaged, From: "../../testdata/site.pdf"})
	if !strings.Contains(c.Text, "IDS") || !json.Valid(c.Diff) {
		t.Errorf("%+v", c)
	}
}

// A damaged request or a panic gives an answer with the error, so that the page goes on.
func TestCallFails(t *testing.T) {
	for text, want := range map[string]string{"{": "JSON", `{"op":"x"}`: `no operation "x"`} {
		got := strings.ReplaceAll(string(call([]byte(text), nil)), `\`, "")
		if !strings.Contains(got, `"error"`) || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	got := string(call(encode(request{Op: "audit", Path: damaged, Out: filepath.Join(t.TempDir(), "x")}), nil))
	if !strings.Contains(got, `"error"`) {
		t.Errorf("a panic: %s", got)
	}
}

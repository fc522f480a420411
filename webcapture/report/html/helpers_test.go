package html

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

const golden = "../../../testdata/report"

// render writes the records in results to w, and closes it.
func render(t *testing.T, results []byte, writer func(report.Head) report.Writer) {
	t.Helper()
	r, err := report.NewReader(bytes.NewReader(results))
	if err != nil {
		t.Fatal(err)
	}
	w := writer(r.Head())
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(r.End()); err != nil {
		t.Fatal(err)
	}
}

func writeAll(w report.Writer, records []*report.Record) error {
	for _, r := range records {
		if err := w.Add(r); err != nil {
			return err
		}
	}
	return w.Close(report.Complete)
}

func manyFindings(n int) []*report.Record {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true, URLS: n}}
	one := &rule.Rule{ID: "WC302", Title: "A title.", Problem: "A title", Level: rule.Error}
	for i := range n {
		at := rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: i}}
		rep.Findings = append(rep.Findings, rule.Finding{Rule: one, Place: at, Message: fmt.Sprintf("message %d", i)})
	}
	return []*report.Record{{Path: "a.pdf", Report: rep}, {Path: "b.pdf", Err: errors.New("gone")}}
}

// change changes the first n findings of a record.
func change(r *report.Record, n int, do func(*rule.Finding)) {
	list := r.Report.Findings
	r.Report.Findings = rule.Findings{}
	for i, f := range list {
		if i < n {
			do(&f)
		}
		r.Report.Findings = append(r.Report.Findings, f)
	}
}

// limitedWriter fails after n bytes.
type limitedWriter struct{ n int }

var errFull = errors.New("no space left")

func (l *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > l.n {
		return 0, errFull
	}
	l.n -= len(b)
	return len(b), nil
}

func ruleThat(t *testing.T, onRequest bool, level rule.Level) *rule.Rule {
	t.Helper()
	for _, r := range audit.Rules() {
		if r.OnRequest == onRequest && r.Level == level {
			return r
		}
	}
	t.Fatal("there is no such rule")
	return nil
}

// pageOf returns the page for records.
func pageOf(t testing.TB, o report.Options, records ...*report.Record) string {
	t.Helper()
	var out bytes.Buffer
	if err := writeAll(newWriter(&out, o), records); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

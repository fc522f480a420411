//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A flaky writer fails once.
type flaky struct{ writes, fails int }

var errFull = errors.New("no space left")

func (f *flaky) Write(b []byte) (int, error) {
	if f.writes++; f.writes == f.fails {
		return 0, errFull
	}
	return len(b), nil
}

// The error of each write is returned, also if the disk has room again immediately.
func TestNoWriteErrorIsForgotten(t *testing.T) {
	list := []*report.Record{recordOf(t.Context(), &request{Path: damaged}, func(string) {}), {Path: "b", Err: errFull}}
	q, err := find.Parse("http://h/")
	if err != nil {
		t.Fatal(err)
	}
	queries := []find.Query{q}
	for name, write := range map[string]func(w *flaky) error{
		"records": func(w *flaky) error { return writeRecords(w, report.NDJSON, list) },
		"captures": func(w *flaky) error {
			out := show.NewCaptureWriter("ndjson", w, 0, version)
			return errors.Join(addCaptures(t.Context(), out, damaged, nil), addCaptures(t.Context(), out, "gone", nil),
				out.Close(true))
		},
		"matches": func(w *flaky) error {
			out, s := show.NewFindWriter("ndjson", w, 0, version, queries), find.New(queries)
			return errors.Join(addMatches(t.Context(), out, s, damaged, nil), addMatches(t.Context(), out, s, "gone", nil),
				out.Close(true))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				w := &flaky{fails: n}
				err := write(w)
				if w.writes < n {
					return
				}
				if !errors.Is(err, errFull) {
					t.Fatalf("write %d fails, and the error is %v", n, err)
				}
			}
		})
	}
}

// A file whose audit or list is canceled, at any time, has an error and no results.
func TestCanceledFileHasNoResults(t *testing.T) {
	path := clean(t)
	for name, r := range map[string]request{
		"audit": {}, "captures": {Format: "ndjson"}, "find": {Format: "ndjson", Query: "http://h/"},
	} {
		t.Run(name, func(t *testing.T) {
			r.Path, r.Paths, r.Out = path, []string{path}, outIn(t, "out")
			run := func(n int) (text string, left int) {
				c := &endingContext{}
				c.left.Store(int64(n))
				c.Context, c.cancel = context.WithCancel(t.Context())
				defer c.cancel()
				os.Remove(r.Out)
				answer, err := operations[name](c, &r, func(string) {})
				out, _ := os.ReadFile(r.Out)
				text = string(encode(answer)) + fmt.Sprint(err) + string(out)
				return regexp.MustCompile(`"seconds":[^,}]*`).ReplaceAllString(text, ""), int(c.left.Load())
			}
			const many = 1 << 20
			whole, left := run(many)
			for n := range many - left {
				got, _ := run(n)
				failed := strings.Contains(got, "context canceled") && strings.Contains(got, `"outcome":"error"`)
				if got != whole && (!failed || strings.Contains(got, `"database"`) || strings.Contains(got, `"kind":"page"`)) {
					t.Fatalf("canceled at check %d of %d: %.900s\nwant\n%.900s", n, many-left, got, whole)
				}
			}
		})
	}
}

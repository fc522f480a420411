package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

func TestNDJSONGolden(t *testing.T) {
	layouttest.Golden(t, filepath.Join(golden, "report.ndjson"), string(rewritten(t, recorded(t), "ndjson")))
}

// Each line is complete, for any name of the file.
func TestNDJSONLines(t *testing.T) {
	rec := oneRecord(3)
	rec.Path = "a\nb\xff.pdf"
	rec.Report.Identities = []rule.Identity{{}}
	rec.Ignored = []Ignored{{rec.Report.Findings[0], "because"}}
	var out bytes.Buffer
	if err := writeAll(newNDJSON(&out, Options{}), []*Record{rec}); err != nil {
		t.Fatal(err)
	}
	var types []string
	for l := range strings.Lines(out.String()) {
		var line struct{ Type, Path, PathHex string }
		if err := json.Unmarshal([]byte(l), &line); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		types = append(types, line.Type)
		if line.Type != "head" && line.Type != "summary" && (line.Path != "a\nb\uFFFD.pdf" ||
			line.PathHex != "610a62ff2e706466") {
			t.Errorf("the path is not in %s", l)
		}
	}
	if got, want := strings.Join(types, " "), "head input finding finding finding identity ignored summary"; got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
}

// JSON escapes controls of the writing direction: in a terminal they would reorder the following text.
func TestDirectionsAreEscaped(t *testing.T) {
	rec := oneRecord(1)
	rec.Path = "a\u202efdp.pdf"
	for _, f := range all {
		if !slices.Contains([]string{"json", "ndjson", "sarif"}, f.Name) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			out := rendered(t, f, Options{}, Complete, rec)
			if strings.Contains(out, "\u202e") || !strings.Contains(out, `\u202e`) && !strings.Contains(out, "%E2%80%AE") {
				t.Errorf("the path is not escaped: %s", out)
			}
		})
	}
}

// Add returns after all lines of a record are written.
func TestNDJSONKeepsNothingBack(t *testing.T) {
	var out bytes.Buffer
	w := newNDJSON(&out, Options{})
	for n := 1; n < 4; n++ {
		if err := w.Add(oneRecord(1)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got != 1+2*n {
			t.Errorf("%d lines after record %d, want %d", got, n, 1+2*n)
		}
	}
}

// oneRecord returns a record with n findings.
func oneRecord(n int) *Record {
	one := &rule.Rule{ID: "WC204", Title: "A title.", Level: rule.Error}
	rep := &audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true, URLS: n}}
	for i := range n {
		url := fmt.Sprintf("http://www.example.org/%d", i)
		rep.Findings = append(rep.Findings, rule.Finding{
			Rule:    one,
			Place:   rule.Place{Tree: "URLS", Node: &rule.NodePlace{Ref: object.Ref{Num: uint32(i/64 + 7)}, Index: i % 64}},
			Message: fmt.Sprintf("key (HTTP%s) is not canonical: step c would lower-case the scheme; expected (%s)", url[4:], url),
			Fix:     &rule.Fix{Action: rule.ChangeKey, Old: nametree.Key("HTTP" + url[4:]), New: nametree.Key(url)},
		})
	}
	return &Record{Path: "archive/site.pdf", Report: rep}
}

// Writers that stream keep nothing of their output in memory.
func TestMemoryDoesNotGrowWithFindings(t *testing.T) {
	const n, limit = 100_000, 1 << 20
	rec := oneRecord(n)
	for _, format := range []Format{JSON, NDJSON} {
		t.Run(format.Name, func(t *testing.T) {
			most := &heap{}
			runtime.GC()
			before := most.now()
			if err := writeAll(format.New(most, Options{}), []*Record{rec}); err != nil {
				t.Fatal(err)
			}
			if grown := int64(most.peak) - int64(before); grown > limit {
				t.Errorf("%s: memory grows by %d bytes for %d findings, want no more than %d", format.Name, grown, n, limit)
			}
		})
	}
}

// A heap is a writer that measures the live heap regularly.
type heap struct {
	writes int
	peak   uint64
}

func (h *heap) Write(b []byte) (int, error) {
	if h.writes++; h.writes%100 == 0 {
		runtime.GC()
		h.peak = max(h.peak, h.now())
	}
	return len(b), nil
}

func (*heap) now() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// One record with a million findings.
func BenchmarkNDJSON(b *testing.B) {
	const n = 1e6
	rec := oneRecord(n)
	b.ReportAllocs()
	for b.Loop() {
		if err := writeAll(newNDJSON(io.Discard, Options{}), []*Record{rec}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "findings/s")
}

// Reading one record with a hundred thousand findings.
func BenchmarkReader(b *testing.B) {
	const n = 1e5
	rec := oneRecord(n)
	for _, format := range []Format{JSON, NDJSON} {
		var results bytes.Buffer
		if err := writeAll(format.New(&results, Options{Head: Head{Rules: []*rule.Rule{rec.Report.Findings[0].Rule}}}),
			[]*Record{rec}); err != nil {
			b.Fatal(err)
		}
		b.Run(format.Name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := readAll(results.Bytes()); err != io.EOF {
					b.Fatal(err)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "findings/s")
		})
	}
}

// An identity without a URL has no member for one.
func TestIdentityWithoutURL(t *testing.T) {
	for url, want := range map[nametree.Key]bool{"": false, "http://a/": true} {
		t.Run(string(url), func(t *testing.T) {
			rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Identities: []rule.Identity{{URL: url}}}
			out := resultsIn(t, "ndjson", Options{}, Complete, &Record{Path: "a.pdf", Report: rep})
			if got := strings.Contains(out, `"url":`); got != want {
				t.Errorf("URL %q: a member %v\n%s", url, got, out)
			}
		})
	}
}

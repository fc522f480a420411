package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	asHelper()
	os.Exit(m.Run())
}

// The quick run makes the page and the chart, and each program that is installed does its work.
func TestQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs other programs")
	}
	t.Chdir("../..")
	docs := t.TempDir()
	if err := run(options{ctx: t.Context(), quick: true, enough: time.Minute, slow: time.Hour, limit: time.Minute, docs: docs, out: t.Output()}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(docs, "benchmarks.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if _, tables, _ := strings.Cut(text, "\n## An audit\n"); strings.Count(tables, "\n") > 80 {
		t.Errorf("the tables have %d lines; with the others, the page may have more than 120", strings.Count(tables, "\n"))
	}
	_, first, ok := strings.Cut(text, "\n## ")
	if !ok || !strings.HasPrefix(first, "Slower than a peer\n") {
		t.Errorf("the page begins with %.40q", first)
	}
	if i := strings.Index(text, "exit code"); i >= 0 {
		t.Errorf("a program failed: %.200s", text[max(0, i-100):])
	}
	_, rest, _ := strings.Cut(text, "\n- Not installed, so not compared: ")
	rest, _, _ = strings.Cut(rest, ".\n")
	missing := strings.Split(rest, ", ")
	for name, p := range findPrograms(t.TempDir()) {
		_, tables, _ := strings.Cut(text, "\n## An audit\n")
		hasRow := strings.Contains(tables, "\n| "+name+": ")
		if installed := p.version != ""; hasRow != installed || slices.Contains(missing, name) == installed {
			t.Errorf("%s, version %q: in a table: %t", name, p.version, hasRow)
		}
	}
	wellFormed(t, filepath.Join(docs, "benchmarks.svg"))
}

func wellFormed(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := xml.NewDecoder(f); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
}

// sampled returns a sample that took some seconds.
func sampled(seconds float64, memory int64) sample {
	wall := time.Duration(seconds * float64(time.Second))
	return sample{wall: wall, cpu: 2 * wall, memory: memory}
}

// A ratio is that of the same round, so a slow round does not count for one program alone.
func TestSummary(t *testing.T) {
	webcap := []sample{sampled(1, 10), sampled(10, 10), sampled(1, 10)}
	c := summary([]sample{sampled(2, 7), sampled(30, 9), sampled(3, 8)}, webcap, 1)
	if c.runs != 3 || c.wall != 3*time.Second || c.cpu != 6*time.Second || c.memory != 9 || c.ratio != 3 {
		t.Errorf("%+v", c)
	}
	if c := summary([]sample{sampled(1, 0)}, webcap, 20); c.ratio != 20 {
		t.Errorf("ratio %v of a twentieth of the work, want 20", c.ratio)
	}
}

// A program that fails, or does not do all of the work, has no time. If it is webcap, there is no page.
func TestMeasureNoticesFailures(t *testing.T) {
	b := &bench{options: options{ctx: t.Context(), rounds: 2, enough: time.Minute, limit: time.Second, out: io.Discard}}
	shell := func(script string) task {
		return task{name: script, peer: true, command: []string{"sh", "-c", script}, items: 1}
	}
	own := shell("true")
	own.peer = false
	tasks := []task{own, shell("exit 3"), printing("2 entries", shell("echo 1 entry")), shell("sleep 9"), shell("exit 0"),
		{name: "none", peer: true, missing: "none", items: 1}}
	r, err := b.measure(question{columns: []column{{1, tasks}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "exit code 3: ", `printed "1 entry\n"`, "more than 1s", "", ""} {
		c := r.rows[i].cells[0]
		if c.failed != want || (c.runs == 2) != (want == "" && tasks[i].missing == "") {
			t.Errorf("%s: %+v, want %q", tasks[i].name, c, want)
		}
	}
	own.command = []string{"false"}
	if _, err := b.measure(question{columns: []column{{1, []task{own}}}}); err == nil {
		t.Error("webcap failed, and there is a result")
	}
}

// Peers that are faster are listed first, with the sizes at which they are. webcap is not its own peer.
func TestSlower(t *testing.T) {
	ran := func(name string, peer bool, ratios ...float64) *row {
		r := &row{task: task{name: name, peer: peer}}
		for _, f := range ratios {
			r.cells = append(r.cells, cell{runs: 1, items: 1, cpu: time.Second, ratio: f})
		}
		return r
	}
	results := []*result{{question{title: "An audit", columns: []column{{items: 1000}, {items: 10000}}},
		[]*row{ran("webcap", false, 1, 1), ran("find", false, 0.1, 0.1), ran("fast", true, 0.5, 2), ran("slow", true, 3, 4)}}}
	want := "| work | peer | items | ratio |\n|---|---|---|---|\n| An audit | fast | 1,000 | 0.50 |\n"
	if got := slower(results); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{"91.3 s": 91260 * time.Millisecond, "2.50 ms": 2500 * time.Microsecond,
		"340 µs": 340 * time.Microsecond, "7 ns": 7} {
		if got := duration(d); got != want {
			t.Errorf("duration(%d) = %s, want %s", d, got, want)
		}
	}
}

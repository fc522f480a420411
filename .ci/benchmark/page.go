package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
)

// page returns docs/benchmarks.md.
func page(m *machine, programs map[string]program, results []*result) string {
	var b strings.Builder
	b.WriteString(`# Benchmarks

How fast is webcap, next to other programs? ` + "`.ci/bench`" + ` makes this page: the inputs, the runs, and the tables. Run it to
repeat them. Benchmarks of single packages are in [testing](testing.md#benchmarks).

<!-- page: made by .ci/bench -->

![Processor time of an audit by the number of content sets](benchmarks.svg)

`)
	var versions, missing []string
	for _, name := range slices.SortedFunc(maps.Keys(programs), compareFolded) {
		if v := programs[name].version; v != "" {
			versions = append(versions, name+" "+v)
		} else {
			missing = append(missing, name)
		}
	}
	fmt.Fprintf(&b, "- %s, webcap %s, %s, %d cores of %s, %s.\n", m.date.Format("2 January 2006"), m.version, runtime.Version(), m.cores,
		m.processor, m.system)
	fmt.Fprintf(&b, "- Load averages of 1 and 5 minutes: %s before, %s after. With a load above 0.5, other programs ran "+
		"too: elapsed times are too long then.\n", m.loadBefore, m.loadAfter)
	fmt.Fprintf(&b, "- Compared: %s.\n", strings.Join(versions, ", "))
	if len(missing) > 0 {
		fmt.Fprintf(&b, "- Not installed, so not compared: %s.\n", strings.Join(missing, ", "))
	}
	b.WriteString(`- The programs run in turn, several times; figures are medians. Programs that take long run less often, and not on the largest size. *Memory* is the peak of the process, with the mapped file.
- Times are those of processors, which other programs change least; *elapsed* is that of the largest size. webcap uses all cores.
- *Ratio* is the time of an item to that of webcap in the row 1.00 above, in the same round. Above 1, webcap takes less.

## Slower than a peer

`)
	b.WriteString(slower(results))
	for _, r := range results {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", r.title, r.intro, table(r))
	}
	return b.String()
}

func compareFolded(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// slower lists the cases in which webcap is slower than a peer, with sizes and ratios.
func slower(results []*result) string {
	var b strings.Builder
	for _, r := range results {
		for _, row := range r.rows {
			var items, ratios []string
			for i, c := range row.cells {
				if !row.peer || c.runs == 0 || c.ratio >= 1 {
					continue
				}
				ratios = append(ratios, ratio(c.ratio))
				if len(r.columns) > 1 {
					items = append(items, thousands(r.columns[i].items))
				}
			}
			if ratios != nil {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.title, row.name, strings.Join(items, " · "), strings.Join(ratios, " · "))
			}
		}
	}
	if b.Len() == 0 {
		return "No peer was faster on this machine.\n"
	}
	return "| work | peer | items | ratio |\n|---|---|---|---|\n" + b.String()
}

// table returns the table of a question. It has the time for each size; the other values are for the largest size.
func table(r *result) string {
	var b strings.Builder
	b.WriteString("| |")
	for _, c := range r.columns {
		if len(r.columns) == 1 {
			b.WriteString(" processors |")
		} else {
			fmt.Fprintf(&b, " %s |", thousands(c.items))
		}
	}
	fmt.Fprintf(&b, " %s | elapsed | memory | ratio |\n|---|%s---|---|---|---|\n", r.unit, strings.Repeat("---|", len(r.columns)))
	for _, row := range r.rows {
		if row.missing != "" {
			continue // the top of the page names missing programs
		}
		fmt.Fprintf(&b, "| %s |", row.name)
		for _, c := range row.cells {
			failed, _, _ := strings.Cut(c.failed, ": ") // what the program says names files of this machine
			fmt.Fprintf(&b, " %s |", cmp.Or(failed, duration(c.cpu)))
		}
		last := row.cells[len(row.cells)-1]
		if last.failed != "" {
			b.WriteString(" | | | |\n")
			continue
		}
		fmt.Fprintf(&b, " %s | %s | %d MB | %s |\n", duration(last.cpu/time.Duration(last.items)), duration(last.wall), last.memory>>20,
			ratio(last.ratio))
	}
	return b.String()
}

func ratio(f float64) string {
	if f >= 10 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

// duration returns a time with two or three digits.
func duration(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d < u.unit {
			continue
		}
		switch f := float64(d) / float64(u.unit); {
		case f < 10:
			return fmt.Sprintf("%.2f %s", f, u.name)
		case f < 100:
			return fmt.Sprintf("%.1f %s", f, u.name)
		default:
			return fmt.Sprintf("%.0f %s", f, u.name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

package canon

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rows reads a file of ../testdata/canon, whose README describes the format. The first line is the header. The
// corpus next to the repository may have a file with the same name and more rows.
func rows(t testing.TB, name string, columns int) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "canon", name))
	if err != nil {
		t.Fatal(err)
	}
	table := parseRows(t, name, columns, string(data))
	if data, err = os.ReadFile(filepath.Join("..", "..", "shared", "vectors", name)); err == nil {
		table = append(table, parseRows(t, "shared "+name, columns, string(data))...)
	}
	return table
}

func parseRows(t testing.TB, name string, columns int, data string) [][]string {
	t.Helper()
	var table [][]string
	for i, line := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
		if i == 0 {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			t.Fatalf("%s:%d: %d columns, want %d", name, i+1, len(row), columns)
		}
		for j := range row {
			var err error
			if row[j], err = unescape(row[j]); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
		}
		table = append(table, row)
	}
	return table
}

func unescape(s string) (string, error) {
	var b []byte
	for len(s) > 0 {
		c, size := s[0], 1
		if c == '\\' {
			size = 2
			switch s[1] {
			case '\\':
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 'x':
				v, err := strconv.ParseUint(s[2:4], 16, 8)
				if err != nil {
					return "", fmt.Errorf("escape in %q: %w", s, err)
				}
				c, size = byte(v), 4
			default:
				return "", fmt.Errorf("unknown escape in %q", s)
			}
		}
		b = append(b, c)
		s = s[size:]
	}
	return string(b), nil
}

// checkEveryWay checks that all entry points agree: want is the canonical form of ref on base.
func checkEveryWay(t *testing.T, p *Profile, base, ref, want string) {
	t.Helper()
	got := p.Resolve([]byte("key="), []byte(base), []byte(ref))
	if got, ok := bytes.CutPrefix(got, []byte("key=")); !ok || string(got) != want {
		t.Errorf("%s: Resolve(%q, %q) = %q, want %q", p.Name(), base, ref, got, want)
	}
	checkTrace(t, p, base, ref, want)
	if p.resolves([]byte(base), []byte(ref)) {
		return // the other functions take no base
	}
	got = p.Append(nil, []byte(ref))
	if string(got) != want {
		t.Errorf("%s: Append(%q) = %q, want %q", p.Name(), ref, got, want)
	}
	var changed Steps
	for _, c := range p.Trace(nil, []byte(ref)) {
		changed |= 1 << (c.Step.Letter - 'a')
	}
	if got := p.Changes([]byte(ref)); got != changed {
		t.Errorf("%s: Changes(%q) = %q, but Trace has %q", p.Name(), ref, got, changed)
	}
	if got := p.Changes([]byte(ref)); (got == 0) != (ref == want) {
		t.Errorf("%s: Changes(%q) = %q, but it reduces to %q", p.Name(), ref, got, want)
	}
	if p == PDF && URL(ref) != want {
		t.Errorf("URL(%q) = %q, want %q", ref, URL(ref), want)
	}
}

// checkTrace checks the contract of Trace: a chain of real changes, in the order of the steps, from ref to want.
func checkTrace(t *testing.T, p *Profile, base, ref, want string) {
	t.Helper()
	now, letter := ref, byte(0)
	for _, c := range p.Trace([]byte(base), []byte(ref)) {
		if c.Before != now || c.After == now || c.Step.Letter <= letter {
			t.Errorf("%s: Trace(%q, %q) has %+v after step %q and %q", p.Name(), base, ref, c, letter, now)
		}
		now, letter = c.After, c.Step.Letter
	}
	if now != want {
		t.Errorf("%s: Trace(%q, %q) ends with %q, want %q", p.Name(), base, ref, now, want)
	}
}

// vectors lists the files of each profile. A row begins with the URL and the base, if the file has bases.
var vectors = []struct {
	p       *Profile
	file    string
	columns int
	base    bool
	want    func(row []string) (want string, ok bool) // ok is false if the row is not for p
}{
	{PDF, "pdf.tsv", 5, true, clauseColumn(2)},
	{PDF, "pdf-fuzz.tsv", 4, true, clauseColumn(2)},
	{PDF2, "pdf.tsv", 5, true, clauseColumn(4)},
	{PDF2, "pdf-fuzz.tsv", 4, true, clauseColumn(3)},
	{WWWOFFLE29, "wwwoffle29.tsv", 7, true, column(2)},
	{WWWOFFLE29, "wwwoffle29-fuzz.tsv", 2, false, column(1)},
	{WWWOFFLE29E, "wwwoffle29.tsv", 7, true, by29E},
	{WWWOFFLE29E, "wwwoffle29-fuzz.tsv", 2, false, withoutAmpersands},
	{WWWOFFLE26, "wwwoffle26.tsv", 7, true, column(2)},
	{WWWOFFLE26, "wwwoffle26-fuzz.tsv", 2, false, column(1)},
	{Hyvatti, "hyvatti.tsv", 6, true, columnIf(4, "url")},
	{Hyvatti.With(Options{FreeText: true}), "hyvatti.tsv", 6, true, columnIf(4, "text")},
	{Hyvatti, "hyvatti-fuzz.tsv", 2, false, column(1)},
	{Faehnri, "faehnri.tsv", 5, true, columnIf(4, "resolve", "canon")},
	{Faehnri, "rfc3986.tsv", 3, true, column(2)},
	{SURT, "surt.tsv", 2, false, column(1)},
}

// column returns the values of one column of each row.
func column(i int) func([]string) (string, bool) {
	return func(row []string) (string, bool) { return row[i], true }
}

// clauseColumn is column, but a URL with a scheme that 14.10.3.2 does not cover is its own canonical form. The corpus
// has an earlier reading of the clause in these cells.
func clauseColumn(i int) func([]string) (string, bool) {
	return func(row []string) (string, bool) {
		if Split([]byte(row[0])).protocol == foreign {
			return row[0], true
		}
		return row[i], true
	}
}

// columnIf returns the values of column 2, for rows of one of the kinds.
func columnIf(i int, kinds ...string) func([]string) (string, bool) {
	return func(row []string) (string, bool) { return row[2], slices.Contains(kinds, row[i]) }
}

// by29E returns the values that distinguish 2.9e from 2.9; rows name the output of 2.9h only if it differs.
func by29E(row []string) (string, bool) {
	if other, ok := strings.CutPrefix(row[6], "2.9h: "); ok {
		return other, true
	}
	return row[2], true
}

// withoutAmpersands returns the rows in which 2.9 replaces nothing.
func withoutAmpersands(row []string) (string, bool) { return row[1], !strings.Contains(row[0], "&") }

// TestVectors checks each profile with its vectors, and checks that the vectors use each of its steps.
func TestVectors(t *testing.T) {
	taken := map[string]Steps{}
	for _, v := range vectors {
		t.Run(v.p.Name()+"/"+v.file, func(t *testing.T) {
			count := 0
			for _, row := range rows(t, v.file, v.columns) {
				want, ok := v.want(row)
				if !ok {
					continue
				}
				count++
				base := ""
				if v.base {
					base = row[1]
				}
				checkEveryWay(t, v.p, base, row[0], want)
				for _, c := range v.p.Trace([]byte(base), []byte(row[0])) {
					taken[v.p.Name()] |= c.Step.bit()
				}
			}
			if count == 0 {
				t.Error("no vector")
			}
		})
	}
	for _, p := range Profiles() {
		for _, s := range p.Steps() {
			if !taken[p.Name()].Has(s.Letter) {
				t.Errorf("%s: no vector takes step %c, %q", p.Name(), s.Letter, s.Title)
			}
		}
	}
}

// TestRFCExamples runs the tables of the RFCs. They cover only resolution and keep fragments, so they have the results
// of step a. The final result must be the canonical form of the URL in the table.
func TestRFCExamples(t *testing.T) {
	for _, f := range []struct {
		name            string
		p               *Profile
		columns         int
		ref, base, want int
	}{
		{"rfc1808.tsv", PDF, 4, 1, 0, 2},
		{"rfc3986.tsv", PDF2, 3, 0, 1, 2},
	} {
		t.Run(f.name, func(t *testing.T) {
			for _, row := range rows(t, f.name, f.columns) {
				base, ref, want := row[f.base], row[f.ref], row[f.want]
				got := ref
				if trace := f.p.Trace([]byte(base), []byte(ref)); len(trace) > 0 && trace[0].Step.Letter == 'a' {
					got = trace[0].After
				}
				if got != want {
					t.Errorf("step a makes %q of %q on %q, want %q", got, ref, base, want)
				}
				checkEveryWay(t, f.p, base, ref, string(f.p.Append(nil, []byte(want))))
			}
		})
	}
}

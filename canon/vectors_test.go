package canon

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rows reads a file of ../testdata/canon; the README there has the format. The first line is the header. Beside the
// repository there may be another file of that name, with more rows.
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
			row[j] = unescape(t, row[j])
		}
		table = append(table, row)
	}
	return table
}

func unescape(t testing.TB, s string) string {
	t.Helper()
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
					t.Fatalf("escape in %q: %v", s, err)
				}
				c, size = byte(v), 4
			default:
				t.Fatalf("unknown escape in %q", s)
			}
		}
		b = append(b, c)
		s = s[size:]
	}
	return string(b)
}

// checkEveryWay holds all entry points to one answer: want is the canonical form of ref on base.
func checkEveryWay(t *testing.T, p *Profile, base, ref, want string) {
	t.Helper()
	got := p.Resolve([]byte("key="), []byte(base), []byte(ref))
	if got, ok := bytes.CutPrefix(got, []byte("key=")); !ok || string(got) != want {
		t.Errorf("%s: Resolve(%q, %q) = %q, want %q", p.Name(), base, ref, got, want)
	}
	checkTrace(t, p, base, ref, want)
	if p.resolves([]byte(base), []byte(ref)) {
		return // what follows knows of no base
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

// checkTrace holds Trace to its contract: a chain of real changes, in the order of the steps, from ref to want.
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

func TestVectors(t *testing.T) {
	for _, f := range []struct {
		name            string
		columns, v1, v2 int // v1 and v2 are the columns of PDF and PDF2
	}{
		{"pdf.tsv", 5, 2, 4},
		{"pdf-fuzz.tsv", 4, 2, 3},
	} {
		t.Run(f.name, func(t *testing.T) {
			for _, row := range rows(t, f.name, f.columns) {
				checkEveryWay(t, PDF, row[1], row[0], row[f.v1])
				checkEveryWay(t, PDF2, row[1], row[0], row[f.v2])
			}
		})
	}
}

// TestRFCExamples runs the tables of the RFCs, which are about resolution alone and keep fragments: they are what
// step a makes of a reference. The canonical form is then that of the expected URL.
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

package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// withOptions calls do with the context of a command line of a command, which does not run.
func withOptions(t *testing.T, line string, do func(*program, *cli.Context)) {
	t.Helper()
	p := &program{stderr: new(strings.Builder)}
	c, _, err := parseLine(t.Context(), p.app(), strings.Fields(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	do(p, c)
}

// Time limits and numbers of audits are those of the options, or the defaults.
func TestLimitsOfOptions(t *testing.T) {
	for _, tt := range []struct {
		args    string
		workers int
		timeout time.Duration
	}{
		{"audit a.pdf", 0, time.Minute},
		{"audit -j 1 a.pdf", 1, time.Minute},
		{"audit -j 1024 --timeout 0 a.pdf", 1024, 0},
		{"audit --timeout 0s a.pdf", 0, 0},
		{"audit --timeout 1m30s a.pdf", 0, 90 * time.Second},
	} {
		t.Run(tt.args, func(t *testing.T) {
			withOptions(t, tt.args, func(_ *program, c *cli.Context) {
				limit, err := timeoutOf(c)
				if err != nil || limit != tt.timeout {
					t.Errorf("time %v, %v; want %v", limit, err, tt.timeout)
				}
				o, err := runOptions(c, audit.Options{})
				if err != nil || o.Timeout != tt.timeout || o.Workers != tt.workers || o.Memory <= 0 {
					t.Errorf("options %+v, %v; want time %v and %d workers", o, err, tt.timeout, tt.workers)
				}
			})
		})
	}
}

// Lines of a list are paths, without their end. Empty lines are not.
func TestListedPaths(t *testing.T) {
	long := strings.Repeat("x", maxPath-1)
	for _, tt := range []struct {
		name, in string
		end      byte
		want     []string
		err      string
	}{
		{"lines", "a\n\nb\r\n c \nd", '\n', []string{"a", "b", " c ", "d"}, ""},
		{"NUL", "a\x00\x00b\nc\r\x00d", 0, []string{"a", "b\nc\r", "d"}, ""},
		{"nothing", "", '\n', nil, ""},
		{"long", "a\n" + long + "\nb\n", '\n', []string{"a", long, "b"}, ""},
		{"too long", "a\n" + long + "x\nb\n", '\n', []string{"a"}, "list: a line is longer than 65536 bytes"},
		{"too long at the end", long + "xx", '\n', nil, "list: a line is longer than 65536 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &listedPaths{lists: []nameList{{"list", strings.NewReader(tt.in), tt.end}}}
			got, said := slices.Collect(l.listed()), ""
			if l.err() != nil {
				said = l.err().Error()
			}
			if !slices.Equal(got, tt.want) || said != tt.err {
				t.Errorf("%.80q, %s, want %.80q, %s", got, said, tt.want, tt.err)
			}
		})
	}
	bad := errors.New("bad disk")
	second := nameList{"second", strings.NewReader("c"), '\n'}
	l := &listedPaths{lists: []nameList{{"first", iotest.ErrReader(bad), '\n'}, second}}
	if got := slices.Collect(l.listed()); len(got) > 0 || !errors.Is(l.err(), bad) {
		t.Errorf("after an error: %q, %v", got, l.err())
	}
	l = &listedPaths{lists: []nameList{{"first", strings.NewReader("a\nb"), '\n'}, second}}
	for range l.listed() {
		break // the loop would panic if the iterator continued
	}
}

// The folder of a run is its only path, if that is a folder, with one slash at its end.
func TestFolderOfPaths(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	err := errors.Join(os.MkdirAll(filepath.Join("in", "below"), 0o777), os.WriteFile("a.pdf", nil, 0o666))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		arguments []string
		lists     int
		want      string
	}{
		{[]string{"in"}, 0, "in/"},
		{[]string{"in/"}, 0, "in/"},
		{[]string{"in/below"}, 0, "in/below/"},
		{[]string{"in"}, 1, ""},
		{[]string{"in", "in/below"}, 0, ""},
		{[]string{"a.pdf"}, 0, ""},
		{[]string{"gone"}, 0, ""},
		{nil, 0, ""},
	} {
		t.Run(fmt.Sprint(tt.arguments), func(t *testing.T) {
			l := &listedPaths{arguments: tt.arguments, lists: make([]nameList, tt.lists)}
			if got := l.folder(); got != tt.want {
				t.Errorf("folder of %q and %d lists: %q, want %q", tt.arguments, tt.lists, got, tt.want)
			}
		})
	}
}

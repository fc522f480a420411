package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// caseTime is the time limit of a command line.
const caseTime = 5 * time.Minute

// difference is an output that differs.
type difference struct {
	name  string
	lines []string // "< line" of old and "> line" of new
}

// result is the outcome of a case.
type result struct {
	testCase
	outputs     int
	differences []difference
	problem     string // why the case compares nothing
	err         error  // of the system
}

// comparer runs cases.
type comparer struct {
	work     string // has the folders in, old, and new
	versions [2]string
	start    time.Time
}

var sides = [2]string{"old", "new"}

// run runs a case with both programs at the same time and compares their outputs.
func (c *comparer) run(ctx context.Context, tc testCase) result {
	r := result{testCase: tc}
	var outputs [2]map[string][]byte
	var codes [2][]int
	var errs [2]error
	var wg sync.WaitGroup
	for i := range sides {
		wg.Go(func() { outputs[i], codes[i], errs[i] = c.runSide(ctx, i, tc) })
	}
	wg.Wait()
	if r.err = errors.Join(errs[0], errs[1]); r.err != nil {
		return r
	}
	// rejects reports whether both programs exit with 2 in a step.
	rejects := func(step int) bool { return codes[0][step] == 2 && codes[1][step] == 2 }
	empty := true
	for i, s := range tc.steps {
		if rejects(i) != tc.wrong {
			r.problem = "both programs exit with 2: webcap " + strings.Join(s.args, " ")
			if tc.wrong {
				r.problem = "no program exits with 2: webcap " + strings.Join(s.args, " ")
			}
		}
	}
	names := slices.Sorted(maps.Keys(outputs[0]))
	for name := range maps.Keys(outputs[1]) {
		if _, ok := outputs[0][name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		r.outputs++
		old, inOld := outputs[0][name]
		new, inNew := outputs[1][name]
		if len(old)+len(new) > 0 && !strings.HasSuffix(name, ".exit") {
			empty = false
		}
		if inOld == inNew && bytes.Equal(old, new) {
			continue
		}
		d := difference{name: name}
		switch {
		case !inNew:
			d.lines = []string{"< only old writes this file"}
		case !inOld:
			d.lines = []string{"> only new writes this file"}
		default:
			d.lines, r.err = diffLines(ctx, old, new)
		}
		r.differences = append(r.differences, d)
	}
	if empty && r.problem == "" {
		r.problem = "both programs write nothing"
	}
	return r
}

// runSide runs the steps of a case with one program. Outputs have a name each: the standard output and standard error of
// all steps, their exit codes, and the files in OUT.
func (c *comparer) runSide(ctx context.Context, side int, tc testCase) (map[string][]byte, []int, error) {
	folder := filepath.Join(c.work, sides[side], tc.name)
	out := filepath.Join(folder, "OUT")
	for _, name := range []string{"OUT", "home", "tmp"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o777); err != nil {
			return nil, nil, err
		}
	}
	defer os.RemoveAll(folder)
	var stdout, stderr, exits bytes.Buffer
	var codes []int
	for _, s := range tc.steps {
		code, err := c.runStep(ctx, side, s, folder, &stdout, &stderr)
		if err != nil {
			return nil, nil, err
		}
		codes = append(codes, code)
		fmt.Fprintf(&exits, "exit code %d\n", code)
	}
	outputs := map[string][]byte{
		tc.name + ".out": stdout.Bytes(), tc.name + ".err": sortLines(stderr.Bytes()), tc.name + ".exit": exits.Bytes(),
	}
	err := filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		relative, _ := filepath.Rel(out, path)
		outputs[tc.name+"/"+filepath.ToSlash(relative)] = data
		return err
	})
	for name, data := range outputs {
		outputs[name] = c.normalize(side, folder, data)
	}
	return outputs, codes, err
}

func (c *comparer) runStep(ctx context.Context, side int, s step, folder string, stdout, stderr io.Writer) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, caseTime)
	defer cancel()
	out := filepath.Join(folder, "OUT")
	inputs := filepath.Join(c.work, "in")
	folders := strings.NewReplacer("OUT", out, "TMP", filepath.Join(folder, "tmp"))
	cmd := exec.CommandContext(ctx, filepath.Join(c.work, "program", sides[side], "webcap"))
	cmd.Dir, cmd.Stdout, cmd.Stderr = inputs, stdout, stderr
	for _, arg := range s.args {
		if path, ok := strings.CutPrefix(arg, "COPY/"); ok {
			arg = filepath.Join(out, filepath.Base(path))
			if err := exec.Command("cp", "-r", filepath.Join(inputs, path), arg).Run(); err != nil {
				return 0, fmt.Errorf("cannot copy %s: %w", path, err)
			}
		}
		cmd.Args = append(cmd.Args, folders.Replace(arg))
	}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(folder, "home"),
		"TMPDIR=" + filepath.Join(folder, "tmp"), "NO_COLOR=1", "TZ=UTC"}
	for _, e := range s.environment {
		e = folders.Replace(e)
		if dir, ok := strings.CutPrefix(e, "PWD="); ok {
			cmd.Dir = dir
		}
		cmd.Env = append(cmd.Env, e)
	}
	if s.stdin != "" {
		f, err := os.Open(filepath.Join(inputs, s.stdin))
		if err != nil {
			return 0, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return 0, fmt.Errorf("%s: webcap %s: %w", sides[side], strings.Join(s.args, " "), errors.Join(err, ctx.Err()))
	}
	return cmd.ProcessState.ExitCode(), nil
}

// sortLines sorts the lines of standard error, because programs write several files at the same time.
func sortLines(data []byte) []byte {
	return bytes.Join(slices.SortedFunc(bytes.Lines(data), bytes.Compare), nil)
}

// normalizers replace what differs from run to run.
var normalizers = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`(?m)^webcap: (auditing .*, \d+s|.* files/s\b.*)\n`), ""}, // progress, after half a minute
	{regexp.MustCompile(`("seconds": ?)[0-9.e-]+`), "${1}S"},
	{regexp.MustCompile(`(?m)^urn:uuid:.*\n`), ""}, // lines of a CDXJ index, which are sorted
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UUID"},
	{regexp.MustCompile(`(-Digest: sha256:)[0-9a-f]{64}(\r\nContent-Type: application/json)`), "${1}D${2}"},
	{regexp.MustCompile(`(-Digest: sha256:)[0-9a-f]{64}(\r\n.*sha256:D\r\n)`), "${1}D${2}"},
}

// normalize returns an output without the place of its files, the version, durations, and the times of this run. It
// unpacks gzip.
func (c *comparer) normalize(side int, folder string, data []byte) []byte {
	if r, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if unpacked, err := io.ReadAll(r); err == nil {
			data = unpacked
		}
	}
	data = bytes.ReplaceAll(data, []byte(folder+"/"), nil)
	data = bytes.ReplaceAll(data, []byte(folder), nil)
	if version := c.versions[side]; len(version) > 4 {
		data = bytes.ReplaceAll(data, []byte(version), []byte("VERSION"))
	}
	for _, n := range normalizers {
		data = n.pattern.ReplaceAll(data, []byte(n.text))
	}
	for _, day := range []time.Time{c.start, time.Now()} {
		day = day.UTC()
		dated := regexp.MustCompile(day.Format(`2006-01-02`) + `([T ][0-9:.]+Z?)?|` + day.Format(`20060102`) + `\d{6}`)
		data = dated.ReplaceAll(data, []byte("TIME"))
	}
	return data
}

// diffLines returns the lines that differ. Long lines are cut between elements of JSON and HTML.
func diffLines(ctx context.Context, old, new []byte) ([]string, error) {
	folder, err := os.MkdirTemp("", "diff")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	args := []string{"-a", "--speed-large-files"}
	for i, data := range [][]byte{old, new} {
		path := filepath.Join(folder, sides[i])
		if err := os.WriteFile(path, splitLines(data), 0o666); err != nil {
			return nil, err
		}
		args = append(args, path)
	}
	out, err := exec.CommandContext(ctx, "diff", args...).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("diff: %w", err)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if line[0] == '<' || line[0] == '>' {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if lines == nil {
		lines = []string{"> differs only in commas or in the end of the last line"}
	}
	return lines, nil
}

// splitLines begins a line for each element of a long line, and removes commas at the end of lines.
func splitLines(data []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(data) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > 1000 {
			line = bytes.ReplaceAll(line, []byte("},{"), []byte("},\n{"))
			line = bytes.ReplaceAll(line, []byte("><"), []byte(">\n<"))
		}
		b.Write(bytes.ReplaceAll(append(bytes.TrimSuffix(line, []byte(",")), '\n'), []byte("},\n"), []byte("}\n")))
	}
	return b.Bytes()
}

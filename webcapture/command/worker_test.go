package command

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A path that is not UTF-8 has the same form in jobs and records, so its record can become a job.
func TestWorkerTakesPathsInHexadecimal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("\xff.pdf") // no file system refuses the name of a member
	if err != nil {
		t.Fatal(err)
	}
	w.Write(webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}))
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	hex := fmt.Sprintf(`"pathHex":"%x"`, path+"!\xff.pdf")
	var out bytes.Buffer
	if code, stderr := run(strings.NewReader("{"+hex+"}\n"+`{"pathHex":"xx"}`+"\n"), &out,
		"worker"); code != exitClean {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{hex, `"outcome":"clean"`, `"reason":"not a job: its pathHex is not hexadecimal"`} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out.String(), want) {
				t.Errorf("nothing says %s:\n%s", want, out.String())
			}
		})
	}
}

// A job is a JSON text or an object with a path, and nothing else.
func TestJobs(t *testing.T) {
	const no = `not a job, such as {"path":"site.pdf"}`
	for line, want := range map[string]string{
		`"a.pdf"`: "a.pdf", `{"path":"a.pdf"}`: "a.pdf", `{"path":"a.pdf","other":1}`: "a.pdf",
		`{"pathHex":"612e706466"}`: "a.pdf", `{"path":"x","pathHex":"612e706466"}`: "a.pdf",
		`""`: no, `{}`: no, `{"path":""}`: no, `"-"`: no, `{"path":"-"}`: no, `{"pathHex":"2d"}`: no, `5`: no, `null`: no,
		`a.pdf`: no, `["a.pdf"]`: no, `{"path":5}`: no, `{"path":"a.pdf","pathHex":5}`: no, `{"path":"a.pdf"`: no,
		`{"pathHex":"6"}`: "not a job: its pathHex is not hexadecimal",
		"\"\xff\"":        "not a job: it is not UTF-8; give the path as pathHex, in hexadecimal",
	} {
		path, err := pathOf([]byte(line))
		if err != nil {
			path = err.Error()
		}
		if path != want {
			t.Errorf("%s: %q, want %q", line, path, want)
		}
	}
}

// A worker audits each line, and continues after wrong ones. Empty lines are no jobs.
func TestWorkerLines(t *testing.T) {
	site := root + "/testdata/site.pdf"
	long := strings.Repeat(" ", maxPath-len(site)-3) + `"` + site + `"`
	for _, tt := range []struct {
		name, in string
		inputs   int
		says     string
	}{
		{"lines", "\"" + site + "\"\n\n\r\nnonsense\n\"" + site + "\"", 3, ""},
		{"longest line", long + "\n\"" + site + "\"\n", 2, ""},
		{"too long", "\"" + site + "\"\n " + long + "\n\"" + site + "\"\n", 1,
			"webcap: cannot read the jobs: line 2 is longer than 65536 bytes\n"},
		{"nothing", "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(strings.NewReader(tt.in), &out, "worker")
			if (code == exitClean) != (tt.says == "") || stderr != tt.says ||
				strings.Count(out.String(), `{"type":"input"`) != tt.inputs {
				t.Errorf("exit %d, it says %s, %d inputs wanted:\n%s", code, stderr, tt.inputs, out.String())
			}
			if complete := strings.Contains(out.String(), `"complete":true`); complete != (tt.says == "") {
				t.Errorf("the results are complete: %v", complete)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &program{stdin: strings.NewReader(""), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	if err := p.run(ctx, []string{"webcap", "worker"}); err != errInterrupted {
		t.Errorf("after an interrupt: %v, want %v", err, errInterrupted)
	}
}

// Whoever stops reading jobs gets no more.
func TestJobsStop(t *testing.T) {
	for _, in := range []string{"\"a.pdf\"\n\"b.pdf\"\n", "nonsense\nnonsense\n"} {
		n := 0
		j := jobReader{in: strings.NewReader(in)}
		for range j.inputs() {
			n++
			break // the loop would panic if the iterator continued
		}
		if n != 1 || j.err != nil {
			t.Errorf("%q: %d inputs, %v", in, n, j.err)
		}
	}
}

// If the reader of records is gone, a worker ends at once: it does not wait for the next job.
func TestWorkerWithoutReader(t *testing.T) {
	jobs := io.MultiReader(strings.NewReader(`"`+root+`/testdata/site.pdf"`+"\n"), neverReader{})
	p := &program{stdin: jobs, stdout: bufio.NewWriter(&fullWriter{0}), stderr: io.Discard}
	if err := p.run(t.Context(), []string{"webcap", "worker"}); !errors.Is(err, errWrite) {
		t.Errorf("%v, want %v", err, errWrite)
	}
}

// A worker reports a failure to write the records of its jobs, or the last line.
func TestWorkerOnFullDisk(t *testing.T) {
	worker := func(to io.Writer) error {
		p := &program{stdin: strings.NewReader("\"a.pdf\"\n"), stdout: bufio.NewWriterSize(to, 16), stderr: io.Discard}
		return p.run(t.Context(), []string{"webcap", "worker", "--only", "WC101"})
	}
	var out bytes.Buffer
	if err := worker(&out); err != nil {
		t.Fatal(err)
	}
	for n := out.Len() - 400; n < out.Len()-16; n += 16 {
		if err := worker(&fullWriter{n}); !errors.Is(err, errWrite) {
			t.Errorf("with room for %d of %d bytes: %v, want %v", n, out.Len(), err, errWrite)
		}
	}
}

package command

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command stops with an error when it cannot write, also in the middle of its results.
func TestFullDiskInTheMiddle(t *testing.T) {
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	warc := testSource(t)
	t.Chdir(t.TempDir())
	writePDF(t, "names.pdf", uniqueNames)
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	writePDF(t, "in/a.pdf", brokenKey)
	if code, stderr := run(nil, io.Discard, "audit", site, "-o", "results.json"); code != exitClean {
		t.Fatal(stderr)
	}
	for _, args := range []string{
		"audit SITE", "audit -f json SITE", "audit -f ndjson SITE", "report results.json",
		"list SITE", "list -f csv SITE", "list -f json SITE", "list -f ndjson SITE", "list -f html SITE",
		"keys SITE", "keys -f json SITE", "find http://h/ SITE", "find -f json http://h/ SITE",
		"find -f csv http://h/ SITE", "find -f ndjson http://h/ SITE", "export -o a.warc SITE",
		"canon http://www.example.com/ http://www.example.org/", "canon -f json http://h/",
		"canon --explain http://h/", "digest --source WARC http://h/f", "source list WARC", "source list -f json WARC",
		"rewrite -f json SITE", "diff SITE SITE", "diff -f json SITE SITE",
		"diff names.pdf SITE",
		"cluster", "--help", "audit --help", "--version", "rewrite in", "rewrite -v in",
		"rewrite in/a.pdf", "rewrite -f json names.pdf",
	} {
		t.Run(args, func(t *testing.T) {
			once := func(to io.Writer) error {
				args := strings.Fields(strings.NewReplacer("SITE", site, "WARC", warc).Replace(args))
				os.Remove("a.warc")
				os.Remove(configName)
				p := &program{stdin: strings.NewReader("\"names.pdf\"\n\"names.pdf\"\n"), stderr: io.Discard,
					stdout: bufio.NewWriterSize(to, 16)}
				return p.run(t.Context(), append([]string{"webcap"}, args...))
			}
			var whole byteCounter
			once(&whole)
			for _, n := range []int{0, min(20, max(int(whole)-17, 0)), max(int(whole)-17, 0)} {
				err := once(&fullWriter{n})
				if err == nil || !strings.HasSuffix(err.Error(), "no space left on device") {
					t.Errorf("with room for %d of at least %d bytes: %v", n, whole, err)
				}
				if _, isUsage := errors.AsType[*usageError](err); isUsage {
					t.Error("it counts as a wrong command line")
				}
			}
		})
	}
}

// uniqueNames is a file with unique names of each kind, and others.
const uniqueNames = `catalog: << /Type /Catalog /Pages 1 0 R /Dests << /old null >> /AcroForm << /Fields [ 3 0 R ] >> /Names << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> /Dests << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> null ] >> >> >>
1 0 obj << /Type /Pages /Kids [ ] /Count 0 >>
3 0 obj << /T (x) >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU (http://a.example/) >> >>`

// brokenKey is a file with a key in URLS that is not canonical. A rewrite repairs it.
const brokenKey = `names: << /URLS << /Names [ (HTTP://a.example/) 5 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>
spiderinfo: << /V 1.25 >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>
6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>`

// A command that cannot write its results fails, whichever part does not fit.
func TestEachPartMayNotFit(t *testing.T) {
	t.Chdir(t.TempDir())
	const page = "6 0 obj << /Type /Page /Contents 7 0 R >>\n7 0 obj << /Length 8 >>\nstream\n(abc) Tj\nendstream\n"
	const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
	writePDF(t, "after.pdf", "catalog: << /Type /Catalog /Pages 1 0 R >>\n"+
		"1 0 obj << /Type /Pages /Kids [ 6 0 R ] /Count 1 /MediaBox [ 0 0 9 9 ] >>\n"+
		strings.Replace(page, "/Page ", "/Page /Parent 1 0 R ", 1))
	writePDF(t, "before.pdf", "names: << /URLS << /Names [ (http://a/) 5 0 R ] >> /IDS << /Names [ "+id+" 5 0 R ] >> >>\n"+
		"5 0 obj << /S /SPS /ID "+id+" /O [ 6 0 R ] /CT (text/html) /SI << /AU (http://a/) >> >>\n"+
		strings.Replace(page, "/Page ", "/Page /ID "+id+" ", 1))
	for line, part := range map[string]string{
		"--version":                 "webcap ",
		"diff before.pdf after.pdf": "\nRestore the lost content sets", "canon -f json http://a/ http://b/": `"canonical"`,
	} {
		var out bytes.Buffer
		run(nil, &out, strings.Fields(line)...)
		if !strings.Contains(out.String(), part) {
			t.Errorf("%s writes %q, want %q", line, out.String(), part)
		}
		for n := 0; n < out.Len(); n += 1 + out.Len()/25 {
			p := &program{stdout: bufio.NewWriterSize(&fullWriter{n}, 16), stderr: io.Discard}
			err := p.run(t.Context(), append([]string{"webcap"}, strings.Fields(line)...))
			if err == nil {
				err = p.stdout.Flush()
			}
			if err == nil || !strings.HasSuffix(err.Error(), "no space left on device") {
				t.Fatalf("%s with room for %d of %d bytes: %v", line, n, out.Len(), err)
			}
		}
	}
}

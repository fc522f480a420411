package command

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Findings are ignored in a file of any name. Its bytes are escaped on a terminal.
func TestIgnoreInFileOfAnyName(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("file names are text here")
	}
	t.Chdir(t.TempDir())
	doc, err := webcapturetest.Parse(`names: << /URLS << /Names [ (HTTP://a.example/) 5 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>
spiderinfo: << /V 1.25 >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>
6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>`)
	if err != nil {
		t.Fatal(err)
	}
	const name = "[a]\n\x1b[31m\xff*.pdf"
	for file, data := range map[string][]byte{
		name:       doc.Bytes(webcapturetest.Layout{}),
		configName: []byte("ignore:\n- {path: '*.pdf', reason: \"a\\e[31m\"}\n"),
	} {
		t.Run(file, func(t *testing.T) {
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	var out bytes.Buffer
	code, stderr := run(nil, &out, "audit", "-v", name)
	if code != exitClean || !strings.Contains(stderr, `[a]\x0a\x1b[31m\xff*.pdf: ignored (a\x1b[31m): `) {
		t.Errorf("exit %d\n%s%s", code, out.String(), stderr)
	}
	for _, r := range out.String() + stderr {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%q gets to a terminal", r)
		}
	}

	// The results of this file are a baseline for it.
	out.Reset()
	if code, stderr := run(nil, &out, "audit", "--config", "none", "--format=json", name); code != exitFindings {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	if err := os.WriteFile("baseline.json", out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stderr := run(nil, &out, "audit", "--config", "none", "--baseline=baseline.json", "."); code != exitClean {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

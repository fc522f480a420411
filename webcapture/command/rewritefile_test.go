package command

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// signedFile is a file with a signature, and with a key that a rewrite repairs.
const signedFile = `catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << /Names [ (http://B.example/) 5 0 R ] >> >> /SpiderInfo << /V 1.25 >> /AcroForm << /Fields [ 11 0 R ] >> >>
10 0 obj << /Type /Pages /Kids [ 6 0 R ] /Count 1 /MediaBox [ 0 0 612 792 ] >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] /SI << /AU (http://b.example/) >> >>
6 0 obj << /Type /Page >>
11 0 obj << /T (a) /FT /Sig /V 13 0 R >>
13 0 obj << /Type /Sig /Filter /Adobe.PPKLite /ByteRange [ 0 1 2 3 ] /Contents <00> >>`

// A rewrite of a file with signatures says which of them stay valid. A rewrite of a folder does, too.
func TestRewriteOfSignedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	writePDF(t, "in/a.pdf", signedFile)
	for _, tt := range []struct{ args, stdout, stderr string }{
		{"rewrite in/a.pdf", "", ""},
		{"rewrite in/a.pdf -o out.pdf", "",
			"webcap: out.pdf: the document is signed: signatures stay valid for the old bytes; viewers will report later " +
				"changes\n"},
		{"rewrite --full --break-signatures in/a.pdf -o out.pdf", "",
			"webcap: out.pdf: the document is signed: its signatures are no longer valid\n"},
		{"rewrite in", "in/a.pdf: 1 step: 1 error, 0 warnings, 1 note\n", ""},
		{"rewrite in -o out", "in/a.pdf -> out/a.pdf: 1 step, written: 0 errors, 0 warnings, 1 note\n",
			"webcap: out/a.pdf: the document is signed: signatures stay valid for the old bytes; viewers will report later " +
				"changes\n"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			os.Remove("out.pdf")
			var out strings.Builder
			code, stderr := run(nil, &out, strings.Fields(tt.args)...)
			if code != exitClean || !strings.HasPrefix(filepath.ToSlash(out.String()), tt.stdout) ||
				!strings.HasPrefix(stderr, tt.stderr) || (tt.stderr == "") != (stderr == "") {
				t.Errorf("exit %d, output\n%s, it says\n%s", code, out.String(), stderr)
			}
		})
	}
}

// If cross-reference data is damaged, a new file may lack objects. This is said only if a new file is written.
func TestRewriteWithDamagedTable(t *testing.T) {
	t.Chdir(t.TempDir())
	doc, err := webcapturetest.Parse(brokenKey)
	if err != nil {
		t.Fatal(err)
	}
	whole := doc.Bytes(webcapturetest.Layout{})
	damaged := bytes.Replace(whole, []byte("trailer"), []byte("trialer"), 1)
	if err := os.WriteFile("whole.pdf", whole, 0o666); err != nil {
		t.Fatal(err)
	}
	const lacks = "webcap: damaged.pdf: its cross-reference data is damaged; objects that cannot be found without it " +
		"are not in "
	for args, want := range map[string]string{
		"whole.pdf --full -o out.pdf": "", "damaged.pdf --full -o out.pdf": lacks + "out.pdf\n",
		"damaged.pdf --full --in-place --no-backup": lacks + "damaged.pdf\n",
		"damaged.pdf --full":                        "",
	} {
		t.Run(args, func(t *testing.T) {
			if err := os.WriteFile("damaged.pdf", damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			os.Remove("out.pdf")
			_, stderr := run(nil, io.Discard, append([]string{"rewrite"}, strings.Fields(args)...)...)
			if says := strings.Contains(stderr, lacks); says != (want != "") || !strings.Contains(stderr, want) {
				t.Errorf("it says %q, want %q", stderr, want)
			}
		})
	}
}

// --only and --disable choose the rules to repair. Without them, the choice is left to the rewrite.
func TestRulesToRepair(t *testing.T) {
	onRequest := func(list []*rule.Rule) (n int) {
		for _, r := range list {
			if r.OnRequest {
				n++
			}
		}
		return n
	}
	for _, tt := range []struct {
		args    string
		has     string
		lacks   string
		request bool // may have rules that are repaired only on request
	}{
		{"--only WC302", "WC302", "WC204", true},
		{"--only WC302,WC204", "WC204", "WC101", true},
		{"--only WC302,WC204 --disable WC302", "WC204", "WC302", true},
		{"--disable WC302", "WC204", "WC302", false},
	} {
		withOptions(t, "rewrite a.pdf "+tt.args, func(_ *program, c *cli.Context) {
			list, err := rulesToRepair(c)
			has := map[string]bool{}
			for _, r := range list {
				has[r.ID] = true
			}
			if err != nil || !has[tt.has] || has[tt.lacks] || !tt.request && onRequest(list) > 0 {
				t.Errorf("%s: %v, %v", tt.args, has, err)
			}
		})
	}
	withOptions(t, "rewrite a.pdf", func(_ *program, c *cli.Context) {
		if list, err := rulesToRepair(c); list != nil || err != nil {
			t.Errorf("without options: %v, %v", list, err)
		}
	})
}

// A journal of a folder belongs to one rewrite: other options, sources, or folders need another journal. Order and
// options that do not change the result do not matter.
func TestJournalsOfRewrites(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("in", 0o777), os.Mkdir("other", 0o777)); err != nil {
		t.Fatal(err)
	}
	writePDF(t, "in/a.pdf", brokenKey)
	const first = "rewrite in -o out --base http://h/ --journal run"
	for _, tt := range []struct {
		args string
		code int
	}{
		{first, exitClean}, {first, exitClean}, {first + " -v", exitClean},
		{"rewrite --journal run --base http://h/ in -o out", exitClean},
		{"rewrite in -o other --base http://h/ --journal run", exitUsage},
		{"rewrite in -o out --base http://i/ --journal run", exitUsage},
		{"rewrite in -o out --journal run", exitUsage},
		{first + " --only WC302", exitUsage}, {first + " --disable WC302", exitUsage}, {first + " --rebuild", exitUsage},
	} {
		t.Run(tt.args, func(t *testing.T) {
			code, stderr := run(nil, io.Discard, strings.Fields(tt.args)...)
			if code != tt.code || strings.Contains(stderr, "--journal run: cannot be the journal of this run") ==
				(code == exitClean) {
				t.Errorf("exit %d, want %d, it says %q", code, tt.code, stderr)
			}
		})
	}
}

// The head of a journal has each option once, by its long name. Options that change only what is printed are not in it.
func TestHeadOfARewrite(t *testing.T) {
	withOptions(t, "rewrite -v -o out --journal run --base http://h/ --full in", func(_ *program, c *cli.Context) {
		head, err := new(rewriteRun).head(c)
		want := []string{"output out", "full true", "profile pdf", "base http://h/", "timeout 60s"}
		if err != nil || head.Settings[0] != "rewrite" || !slices.Equal(head.Settings[2:], want) {
			t.Errorf("%q, %v, want %q", head.Settings, err, want)
		}
	})
}

// A journal that cannot be opened ends a rewrite, before anything is written.
func TestRewriteWithoutJournal(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	writePDF(t, "in/a.pdf", brokenKey)
	for _, args := range []string{"rewrite in -o out --journal gone/run", "audit in --journal gone/run"} {
		var out strings.Builder
		p := &program{stdout: bufio.NewWriter(&out), stderr: new(strings.Builder)}
		err := p.run(t.Context(), append([]string{"webcap"}, strings.Fields(args)...))
		if p.stdout.Flush(); err == nil || !strings.HasPrefix(err.Error(), "cannot open the journal: open gone") ||
			p.exit(err) != exitFailed || out.Len() > 0 {
			t.Errorf("%s: %v, output %q", args, err, out.String())
		}
		if _, err := os.Stat("out"); err == nil {
			t.Errorf("%s: the output folder is there", args)
		}
	}
}

// A rewrite never replaces a file that it reads: the file itself, an original, or a list of passwords.
func TestRewriteKeepsItsInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", brokenKey)
	writePDF(t, "original.pdf", uniqueNames)
	writeFiles(t, map[string]string{"passwords": "secret\n", "file": ""})
	for _, args := range []string{
		"-o a.pdf", "-o ./a.pdf", "--full -o a.pdf", "--from original.pdf -o original.pdf",
		"--password-file passwords -o passwords", "-o file/b.pdf", "-o a.pdf/b.pdf", "-o a.pdf/",
	} {
		t.Run(args, func(t *testing.T) {
			before := contentsOf(t)
			code, stderr := run(nil, io.Discard, append([]string{"rewrite", "a.pdf"}, strings.Fields(args)...)...)
			if code != exitFailed && code != exitUsage || stderr == "" {
				t.Errorf("exit %d, it says %q", code, stderr)
			}
			if after := contentsOf(t); !maps.Equal(after, before) {
				t.Errorf("files have changed: %d before, %d after", len(before), len(after))
			}
		})
	}
}

// contentsOf returns the contents of the files in the working directory, by name.
func contentsOf(t *testing.T) map[string]string {
	t.Helper()
	contents := map[string]string{}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			contents[e.Name()] = "a folder"
			continue
		}
		b, err := os.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		contents[e.Name()] = string(b)
	}
	return contents
}

// A new file would lack an object that cannot be read, so none is written. An update keeps all objects.
func TestRewriteWithLostObjects(t *testing.T) {
	t.Chdir(t.TempDir())
	extra := strings.Replace(brokenKey, "/Type /Page ", "/Type /Page /Extra 7 0 R ", 1) + "\n7 0 obj << /A (x >>"
	doc, err := webcapturetest.Parse(extra)
	if err != nil {
		t.Fatal(err)
	}
	const cut = "<< /A (x >>\n" // the object and its string have no end
	data := strings.Replace(string(doc.Bytes(webcapturetest.Layout{})), cut+"endobj", cut+"      ", 1)
	writeFiles(t, map[string]string{"a.pdf": data})
	for _, tt := range []struct {
		args string
		code int
		says string
	}{
		{"a.pdf", exitClean, ""},
		{"a.pdf -o out.pdf", exitClean, ""},
		{"a.pdf --full -o out.pdf", exitFailed,
			"webcap: a.pdf: a full copy would lose objects: object 7 0: offset 229: literal string not closed; " +
				"recover the file with qpdf or mutool first\n"},
	} {
		os.Remove("out.pdf")
		code, stderr := run(nil, io.Discard, append([]string{"rewrite"}, strings.Fields(tt.args)...)...)
		if code != tt.code || stderr != tt.says {
			t.Errorf("%s: exit %d, want %d, it says %q", tt.args, code, tt.code, stderr)
		}
	}
}

// A certified file without anything to repair needs no permission.
func TestRewriteOfACertifiedFile(t *testing.T) {
	t.Chdir(t.TempDir())
	certified := strings.Replace(signedFile, "/AcroForm", "/Perms << /DocMDP 13 0 R >> /AcroForm", 1)
	writePDF(t, "broken.pdf", certified)
	writePDF(t, "sound.pdf", strings.Replace(certified, "B.example", "b.example", 1))
	for name, refused := range map[string]bool{"broken.pdf": true, "sound.pdf": false} {
		_, stderr := run(nil, io.Discard, "rewrite", name)
		if strings.HasPrefix(stderr, "webcap: "+name+": not permitted by the document: ") != refused {
			t.Errorf("%s: it says %q", name, stderr)
		}
	}
}

package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// fileOf writes the PDF that a text describes into a new folder, and returns its path
// and that of an output next to it.
func fileOf(t *testing.T, objects string) (in, out string) {
	t.Helper()
	dir := t.TempDir()
	in, out = filepath.Join(dir, "in.pdf"), filepath.Join(dir, "out.pdf")
	if err := os.WriteFile(in, pdf(t, objects), 0o600); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// plannedFile is Open, for tests that do not fail there.
func plannedFile(t *testing.T, path string, opt Options) *Plan {
	t.Helper()
	p, err := Open(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func absent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there: %v", path, err)
	}
}

const oneKey = "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info + setA

// TestOpenSaysWhyItCannot: there is no plan for what is not a PDF.
func TestOpenSaysWhyItCannot(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(t.Context(), filepath.Join(dir, "gone.pdf"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	text := filepath.Join(dir, "text.pdf")
	if err := os.WriteFile(text, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), text, Options{}); !errors.Is(err, webcapture.ErrNotPDF) {
		t.Errorf("a file that is not a PDF: %v", err)
	}
}

// leavingContext is done when it is asked for the at-th time. It counts from 1.
type leavingContext struct {
	context.Context
	at, asked int
}

func (c *leavingContext) Err() error {
	if c.asked++; c.asked >= c.at {
		return context.Canceled
	}
	return nil
}

// TestInstallStopsAtAnyTime: whenever the caller gives up, nothing is written.
func TestInstallStopsAtAnyTime(t *testing.T) {
	for at := 1; ; at++ {
		in, out := fileOf(t, oneKey)
		ctx := &leavingContext{Context: context.Background(), at: at}
		_, err := plannedFile(t, in, Options{}).Install(ctx, Target{Path: out})
		if ctx.asked < at {
			if err != nil || at < 3 {
				t.Errorf("after %d questions: %v", ctx.asked, err)
			}
			return
		}
		if err != context.Canceled {
			t.Errorf("error %v at question %d", err, at)
		}
		absent(t, out)
	}
}

// TestInstallInstallsNothingElse: a file that is not what the plan says is not installed.
func TestInstallInstallsNothingElse(t *testing.T) {
	in, out := fileOf(t, oneKey)
	p := plannedFile(t, in, Options{})
	p.rounds.after.db.URLS = nil
	_, err := p.Install(context.Background(), Target{Path: out, Full: true})
	if want := in + ": nothing written: URLS of the rewritten file is not what was planned"; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	absent(t, out)
	if _, err := p.verify(t.Context(), out, true); err == nil ||
		!strings.HasPrefix(err.Error(), "the rewritten file cannot be read: ") {
		t.Errorf("error %v for a file that is not there", err)
	}
}

// TestVerifyReadsWhatIsInstalled: a file that differs from the plan when read back is rejected, for any difference.
func TestVerifyReadsWhatIsInstalled(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"nothing":         {"", "", ""},
		"what was before": {"/S /SPS", "/S /SIS", "differ from those planned"},
		"what was put":    {"(http://a/0) 20", "(http://a/1) 20", "differ from those planned"},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := fileOf(t, oneKey)
			p := plannedFile(t, in, Options{})
			data := replaceSame(t, string(written(t, p)), c.old, c.new)
			if err := os.WriteFile(out, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			rep, err := p.verify(t.Context(), out, false)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if err != nil {
				return
			}
			whole, err := audit.File(t.Context(), out, audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compareReports(t, rep, whole)
		})
	}
}

// WriteTo writes the bytes that Install writes, and leaves no temporary file. It returns an error of the writer.
func TestWriteTo(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	in, out := fileOf(t, oneKey)
	if _, err := plannedFile(t, in, Options{}).Install(t.Context(), Target{Path: out}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	rep, err := plannedFile(t, in, Options{}).WriteTo(t.Context(), &got, Target{})
	if err != nil || rep == nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%v, %d bytes, want the %d bytes of Install", err, got.Len(), len(want))
	}
	full := errors.New("full")
	if _, err := plannedFile(t, in, Options{}).WriteTo(t.Context(), failingWriter{full}, Target{}); err != full {
		t.Errorf("error %v, want %v", err, full)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// failingWriter is a writer that fails.
type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// TestFilesWithLostObjectsAreNotCopied: an update is written, because the old bytes stay. A new file would lack the
// lost object for good, so it is not written.
func TestFilesWithLostObjectsAreNotCopied(t *testing.T) {
	in, out := fileOf(t, oneKey+"50 0 obj (elsewhere)\n")
	data, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, []byte(strings.Replace(string(data), "\n50 0 obj", "\n99 0 obj", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = plannedFile(t, in, Options{}).Install(t.Context(), Target{Path: out, Full: true})
	if !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "50 0 R") {
		t.Errorf("error %v, want ErrLost with the object", err)
	}
	absent(t, out)
	if _, err := plannedFile(t, in, Options{}).Install(t.Context(), Target{Path: out}); err != nil {
		t.Errorf("an update: %v", err)
	}
}

// TestInstallAppendsToSoundFiles: an update cannot be found in a file whose
// cross-reference data is damaged.
func TestInstallAppendsToSoundFiles(t *testing.T) {
	in, out := fileOf(t, oneKey)
	data, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("startxref"), []byte("startxxxx"))
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plannedFile(t, in, Options{}).Install(context.Background(), Target{Path: out}); !errors.Is(err,
		ErrAppend) {
		t.Errorf("error %v, want %v", err, ErrAppend)
	}
	absent(t, out)
	if _, err := plannedFile(t, in, Options{}).Install(context.Background(), Target{Path: out, Full: true}); err != nil {
		t.Error(err)
	}
}

// TestPermissionsThatCannotBeRead: the permissions of a damaged file are unknown.
func TestPermissionsThatCannotBeRead(t *testing.T) {
	data := pdf(t, "catalog: << /Type /Catalog /Perms 40 0 R >>\n"+setA+"40 0 obj << /Other 41 0 R >>\n41 0 obj << /Type /Sig >>\n")
	p := planOf(t, data, Options{})
	damages(data, func(header string) {
		if err := p.Permitted(Target{}); webcapture.IsDamage(err) != (header == "40 0 obj") || errors.Is(err, ErrForbidden) {
			t.Errorf("without %s the error is %v", header, err)
		}
	})
}

// TestPermitted: what the document forbids is done on request only.
func TestPermitted(t *testing.T) {
	const signature = "40 0 obj << /FT /Sig /T (s) /V 41 0 R >>\n41 0 obj << /Type /Sig /Filter /A /ByteRange [ 0 1 2 3 ] /Contents <00> >>\n"
	catalog := func(entries string) string {
		return "catalog: << /Type /Catalog /SpiderInfo << /V 1.25 >> " + entries + "\n/Names << /URLS << /Names [ (HTTP://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >> >>\n" + setA + signature
	}
	for name, c := range map[string]struct {
		entries         string
		appended, whole bool // permitted
	}{
		"nothing special":         {"", true, true},
		"a signature":             {"/AcroForm << /SigFlags 3 /Fields [ 40 0 R ] >>", true, false},
		"a certification":         {"/Perms << /DocMDP 41 0 R >>", false, false},
		"usage rights":            {"/Perms << /UR3 41 0 R >>", false, false},
		"usage rights of PDF 1.5": {"/Perms << /UR 41 0 R >>", false, false},
		"other permissions":       {"/Perms << /Other 41 0 R >>", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, catalog(c.entries)), Options{})
			for full, want := range map[bool]bool{false: c.appended, true: c.whole} {
				if err := p.Permitted(Target{Full: full}); (err == nil) != want || err != nil && !errors.Is(err, ErrForbidden) {
					t.Errorf("full %v: error %v, permitted should be %v", full, err, want)
				}
				if err := p.Permitted(Target{Full: full, BreakSignatures: true}); err != nil {
					t.Errorf("full %v: error %v on request", full, err)
				}
			}
		})
	}
}

// compareReports makes sure that two audits found the same in the same order.
func compareReports(t *testing.T, got, want *audit.Report) {
	t.Helper()
	text := func(r *audit.Report) string {
		var b strings.Builder
		fmt.Fprintln(&b, r.Size, r.URLS, r.IDS, r.PageSets, r.ImageSets, r.OtherSets, r.Digests.Verified,
			r.Digests.Differ, r.Digests.Unchecked)
		for _, f := range r.Findings {
			fmt.Fprintln(&b, f)
		}
		for _, u := range r.Unread {
			fmt.Fprintln(&b, u.Place, u.Ref, u.Err)
		}
		return b.String()
	}
	if a, b := text(got), text(want); a != b {
		t.Errorf("the audit says\n%s\nwant\n%s", a, b)
	}
}

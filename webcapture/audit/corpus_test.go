package audit_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// real are the files of the corpus next to the project that hold Web Capture structures, by the beginning of their
// names: what is in them, and what the audit says of them. The levels are calibrated on these: a rule that undamaged
// files of Acrobat break is a note at most.
var real = map[string]struct {
	urls, ids, pages, images int
	password                 string
	unread                   int    // parts of a damaged file
	rules                    string // of all findings, see summary
}{
	"UglyToad+PdfPig__0000505":                       {urls: 9, ids: 9, pages: 1, images: 8, rules: "WC421"},
	"apache+pdfbox__PDFBOX-5840-410609":              {urls: 1, ids: 1, pages: 1},
	"openpreserve+format-corpus__webCapture":         {urls: 1, ids: 1, pages: 1},
	"pdfcpu+pdfcpu__sample01":                        {urls: 24, ids: 24, pages: 1, images: 23, rules: "WC532 15×WC421"},
	"LibrePDF+OpenPDF__indirect_object_in_rectangle": {ids: 1, pages: 1, rules: "WC107 WC405"},
	"Setasign+FPDI__compressed-xref":                 {urls: 1, ids: 1, pages: 1, rules: "WC701"},
	"Setasign+FPDI__normal-xref":                     {urls: 1, ids: 1, pages: 1, rules: "WC701"},
	"apache+pdfbox__test.unc":                        {urls: 1, ids: 1, pages: 1, rules: "WC701"},
	"chromium+pdfium__encrypted":                     {urls: 1, ids: 1, pages: 1, rules: "WC701", password: "1234"},
	"chromium+pdfium__feature_linearized_loading":    {urls: 2, ids: 2, pages: 2, rules: "2×WC701"},
	"mozilla+pdf.js__annotation-tx3":                 {urls: 1, ids: 1, pages: 1, rules: "WC701"},
	"mozilla+pdf.js__annotation-tx__":                {urls: 1, ids: 1, pages: 1, rules: "WC701"},
	"apache+tika__testPDF_Version.4.x":               {rules: "2×WC103"},
	"apache+tika__testPDF_Version.8.x":               {rules: "2×WC103"},
	"pikepdf+pikepdf__378014596":                     {urls: 1, ids: 1, pages: 1, rules: "WC701", unread: 5}, // the end, two object streams, and what refers to objects in them
}

func TestRealFiles(t *testing.T) {
	for _, path := range webcapturetest.NeedCorpus(t, "real") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			for name, want := range real {
				if !strings.HasPrefix(filepath.Base(path), name) {
					continue
				}
				rep, err := audit.File(t.Context(), path, audit.Options{Passwords: []string{want.password}})
				if err != nil {
					t.Fatal(err)
				}
				if rep.URLS != want.urls || rep.IDS != want.ids || rep.PageSets != want.pages ||
					rep.ImageSets != want.images || rep.OtherSets != 0 {
					t.Errorf("%d URLS, %d IDS, %d page sets, %d image sets, %d others; want %d, %d, %d, %d, 0",
						rep.URLS, rep.IDS, rep.PageSets, rep.ImageSets, rep.OtherSets, want.urls, want.ids, want.pages,
						want.images)
				}
				if got := summary(rep.Findings); got != want.rules {
					t.Errorf("rules %q, want %q: %v", got, want.rules, rep.Findings)
				}
				if len(rep.Unread) != want.unread {
					t.Errorf("could not check: %v, want %d parts", rep.Unread, want.unread)
				}
				return
			}
			t.Fatal("the file is not in the table")
		})
	}
}

// TestRealFilesAreNeverAccused: a source that has some text under every URL makes no finding for a real file whose page
// sets were made from other files, such as temporary ones.
func TestRealFilesAreNeverAccused(t *testing.T) {
	for _, path := range webcapturetest.NeedCorpus(t, "real") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var opt audit.Options
			for name, want := range real {
				if strings.HasPrefix(filepath.Base(path), name) {
					opt.Passwords = []string{want.password}
				}
			}
			opt.Source = memory()
			rep, err := audit.File(t.Context(), path, opt)
			if err != nil {
				t.Fatal(err)
			}
			var texts []*source.Candidate
			for _, i := range rep.Identities {
				texts = append(texts, reply(string(i.URL), "text/plain", "a text"))
			}
			opt.Source = memory(texts...)
			if rep, err = audit.File(t.Context(), path, opt); err != nil {
				t.Fatal(err)
			}
			for _, i := range rep.Identities {
				if i.Proof == rule.Mismatch {
					t.Errorf("%s: %s", i.URL, i.Reason)
				}
			}
		})
	}
}

// TestNewFilesOfTheCorpus audits files for which no test has an expectation yet: no audit may panic.
func TestNewFilesOfTheCorpus(t *testing.T) {
	for _, path := range webcapturetest.NewInCorpus("real", "negative") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			rep, err := audit.File(t.Context(), path, audit.Options{})
			if err != nil {
				t.Logf("not in testdata/corpus.txt: %v", err)
				return
			}
			t.Logf("not in testdata/corpus.txt: %d URLS, %d IDS, rules %q", rep.URLS, rep.IDS, summary(rep.Findings))
		})
	}
}

// summary returns the rules of findings in the order in which they come first,
// each with the number of its findings if there are several.
func summary(findings rule.Findings) string {
	var rules []string
	n := map[string]int{}
	for _, f := range findings {
		if n[f.Rule.ID]++; n[f.Rule.ID] == 1 {
			rules = append(rules, f.Rule.ID)
		}
	}
	for i, id := range rules {
		if n[id] > 1 {
			rules[i] = fmt.Sprintf("%d×%s", n[id], id)
		}
	}
	return strings.Join(rules, " ")
}

// damaged are the files of the corpus that cannot be opened with the password
// "view": the reason has this in it. All others there have no content database.
var damaged = map[string]string{
	"openpreserve+format-corpus__encryption_openpassword": "password",
}

// TestFilesWithoutDatabase: files that have nothing of Web Capture are said to
// have nothing, and one that does not open says why; none is called clean.
func TestFilesWithoutDatabase(t *testing.T) {
	for _, path := range webcapturetest.NeedCorpus(t, "negative") {
		name := strings.TrimSuffix(filepath.Base(path), ".pdf")
		rep, err := audit.File(t.Context(), path, audit.Options{Passwords: []string{"view"}})
		switch reason, fails := damaged[name]; {
		case fails && (err == nil || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: error %v, want one line with %q", name, err, reason)
		case !fails && err != nil:
			t.Errorf("%s: %v", name, err)
		case !fails && (rep.Present || len(rep.Findings)+len(rep.Unread) > 0):
			t.Errorf("%s: present %v, %v, %v", name, rep.Present, rep.Findings, rep.Unread)
		}
	}
}

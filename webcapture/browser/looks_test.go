//go:build browser

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/pdfcpu/pdfcpu/pkg/api"

	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// realDamaged returns a real capture that an optimizer has damaged.
func realDamaged(t *testing.T) string {
	t.Helper()
	paths := webcapturetest.NeedCorpus(t, "real/pdfcpu+pdfcpu__sample01")
	path := filepath.Join(t.TempDir(), "capture.pdf")
	if err := api.OptimizeFile(paths[0], path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// The picture of docs/browser.md. With -update it is written. The picture leaves out the report, because the captured
// pages belong to others.
func TestRealCaptureInBrowser(t *testing.T) {
	path := realDamaged(t)
	b := openPage(t, newBrowser(t), chromedp.EmulateViewport(1280, 900), prefer("light"))
	b.keepDownloads()
	b.choose("#file-input", path)
	b.want("document.querySelectorAll('.steps input').length > 5 && " +
		"document.querySelector('iframe')?.srcdoc.includes('WC303')")
	b.click("Download repaired file")
	whole := b.saved("capture.repaired.pdf")
	if string(whole) != string(byCommand(t, path)) {
		t.Error("the command line writes another file")
	}
	b.want("document.querySelector('.card.repair')?.textContent.includes('Its audit: 0 errors')")
	b.do("document.querySelector('.steps summary').click()")
	b.do("document.getElementById('detail').querySelector('iframe').remove()")
	if *layouttest.Update {
		b.picture("../../docs/browser.png")
	}
}

// axe is the script of axe-core, which judges whether pages are accessible.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(webcapturetest.Program(t, "testdata/node_modules/axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// violation is a rule of axe-core that a page breaks.
type violation struct {
	ID    string `json:"id"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// accessible makes sure that axe-core finds nothing, and that the page is not wider than the screen.
func (b *tab) accessible(what string) {
	b.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](axeRun, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	b.noViolations(what, []byte(text))
	if !eval[bool](b, "document.documentElement.scrollWidth <= innerWidth") {
		b.Errorf("%s: the page is wider than the screen", what)
	}
}

// accessibleFrame makes sure that axe-core, whose script is given, finds nothing in the frame of the page.
func (b *tab) accessibleFrame(what, script string) {
	b.Helper()
	// Each evaluation has a world of its own, so the script comes along.
	value, err := b.frameValue(script + "\n;" + axeRun)
	var text string
	if err == nil {
		err = json.Unmarshal([]byte(value), &text)
	}
	if err != nil {
		b.Fatalf("%s: %v", what, err)
	}
	b.noViolations(what, []byte(text))
}

// noViolations fails for each violation that axe-core found.
func (b *tab) noViolations(what string, found []byte) {
	b.Helper()
	var list []violation
	if err := json.Unmarshal(found, &list); err != nil {
		b.Fatal(err)
	}
	for _, v := range list {
		for _, n := range v.Nodes {
			b.Errorf("%s: %s: %s: %s", what, v.ID, n.HTML, n.Summary)
		}
	}
}

const axeRun = "axe.run({iframes: false}).then(r => JSON.stringify(r.violations))"

// axe-core finds nothing on any tab, and no tab is wider than its screen.
func TestAccessibleInBrowser(t *testing.T) {
	script := axe(t)
	browser := newBrowser(t)
	text := filepath.Join(t.TempDir(), "text.pdf")
	write(t, text, []byte("text"))
	for _, screen := range []struct {
		scheme string
		width  int64
	}{{"light", 1400}, {"dark", 390}} {
		b := openPage(t, browser, chromedp.EmulateViewport(screen.width, 900), prefer(screen.scheme))
		eval[bool](b, script+"\n;true")
		b.accessible("the first page")
		b.click("Try a sample")
		b.want("document.querySelectorAll('.steps input').length === 7 && document.querySelector('iframe')")
		b.do("for (const d of document.querySelectorAll('details')) d.open = true")
		b.accessible("a repair")
		b.inFrame("document.readyState === 'complete'")
		b.accessibleFrame("the report of a repair", script)
		b.choose("#file-input", text, "../../testdata/site.pdf")
		b.audited()
		b.want("document.querySelector('#detail iframe')")
		b.accessible("a list of files")
		b.click("text.pdf")
		b.want("document.querySelector('#detail iframe')")
		b.accessible("a file that is not a PDF")
		b.click("What was captured")
		b.want("document.querySelector('#captures-frame iframe')")
		b.do("document.getElementById('query').value = 'http://www.example.org/archive/00000001/index.html?rev=1'; " +
			"document.querySelector('#find button').click()")
		b.want("document.querySelectorAll('#found tbody tr').length > 0")
		b.accessible("captures")
	}
}

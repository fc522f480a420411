//go:build browser

package html

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/pdfcpu/pdfcpu/pkg/api"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A tab is a page in a browser, with its error messages.
type tab struct {
	*testing.T
	ctx context.Context
	url string

	mu     sync.Mutex
	events []string // errors, requests for anything but the page, dialogs
}

var browsers = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// openBrowser starts a browser without network; tests skip if there is none.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: a browser takes long to start")
	}
	path := webcapturetest.Program(t, browsers...)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// open runs the actions first in a new tab, and then shows a page in it, at a fragment.
func open(t *testing.T, browser context.Context, text, fragment string, first ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, first...); err != nil {
		t.Fatal(err)
	}
	ctx, late := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(late)
	b := &tab{T: t, ctx: ctx, url: (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()}
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(b.url+fragment)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.check)
	return b
}

func (b *tab) event(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *log.EventEntryAdded:
		b.events = append(b.events, fmt.Sprintf("log: %+v", ev.Entry))
	case *runtime.EventConsoleAPICalled:
		b.events = append(b.events, fmt.Sprintf("console: %+v", ev))
	case *runtime.EventExceptionThrown:
		b.events = append(b.events, fmt.Sprintf("exception: %+v", ev.ExceptionDetails))
	case *page.EventJavascriptDialogOpening:
		b.events = append(b.events, "dialog: "+ev.Message)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(ev.Request.URL, b.url) && !strings.HasPrefix(ev.Request.URL, "data:") {
			b.events = append(b.events, "request: "+ev.Request.URL)
		}
	}
}

// check fails if the page reported errors.
func (b *tab) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		b.Error(e)
	}
}

// eval returns the value of a JavaScript expression in the page. If it has none, the test fails.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// want waits until an expression is true.
func (b *tab) want(expression string) {
	b.Helper()
	for range 100 {
		if eval[bool](b, "!!("+expression+")") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.Errorf("not true: %s; the status is %q", expression, eval[string](b, status))
}

// status is the text that counts the findings that the filter leaves.
const status = "document.querySelector('[role=status]').textContent"

// search types text into the filter.
func (b *tab) search(text string) {
	b.Helper()
	eval[bool](b, fmt.Sprintf("(e => { e.value = %q; return e.dispatchEvent(new Event('input', {bubbles: true})) })"+
		"(document.querySelector('input[type=search]'))", text))
}

func (b *tab) wantStatus(s string) {
	b.Helper()
	b.want(fmt.Sprintf("%s === %q", status, s))
}

// visible counts the visible elements that match a selector.
func visible(selector string) string {
	return "[...document.querySelectorAll('" + selector + "')].filter(e => e.checkVisibility({contentVisibilityAuto: false})).length"
}

// scriptsOff turns JavaScript off, to test the page without it.
func scriptsOff(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})
	return chromedp.Void{}, err
}

// prefer sets the preferred color scheme of the device.
func prefer(scheme string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return chromedp.Void{}, err
	}
}

func TestInBrowser(t *testing.T) {
	browser := openBrowser(t)
	text := htmlOf(t, fileOf(t, "html.json"))
	files := strings.Count(text, `<article class="file`)

	t.Run("filter", func(t *testing.T) {
		b := open(t, browser, text, "")
		b.want(visible("article.file") + fmt.Sprint(" === ", files))
		b.search("treated as TEXT")
		b.wantStatus("6 findings")
		b.want(visible(".group tbody tr") + " === 6")
		b.want(visible("article.file") + " === 1")
		b.search("treated wc106")
		b.wantStatus("0 findings")
		b.search("")
		b.wantStatus("")
		b.want(visible("article.file") + fmt.Sprint(" === ", files))
		eval[bool](b, "document.querySelector('input[value=error]').click(), true")
		b.want(visible(".group.of-error") + " === 0")
		b.want(visible(".group.of-note") + " > 0")
	})

	t.Run("dark and light", func(t *testing.T) {
		for _, scheme := range []string{"light", "dark"} {
			b := open(t, browser, text, "", prefer(scheme))
			eval[bool](b, "document.querySelectorAll('details').forEach(d => d.open = true), true")
			b.check()
			if poor := eval[[]string](b, contrasts); len(poor) > 0 {
				t.Errorf("%s: too little contrast: %q", scheme, poor)
			}
		}
	})

	t.Run("narrow", func(t *testing.T) {
		b := open(t, browser, text, "", chromedp.EmulateViewport(360, 700))
		eval[bool](b, "document.querySelectorAll('details').forEach(d => d.open = true), true")
		b.want("document.documentElement.scrollWidth <= 360")
	})

	t.Run("without scripts", func(t *testing.T) {
		b := open(t, browser, text, "#file-2", scriptsOff)
		b.want("!document.documentElement.classList.contains('js')")
		b.want(visible("#filter, .copy") + " === 0")
		b.want(visible(".group tbody tr") + " > 10")
		b.want("document.querySelectorAll('.identities tr').length > 1")
		b.want("document.querySelector(':target').id === 'file-2'")
	})
}

// contrasts returns texts with too little contrast (WCAG 2.1, 1.4.3).
const contrasts = `(() => {
	const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const rgba = (c) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const light = (c) => c.slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
	const poor = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (!walk.currentNode.textContent.trim() || !e.checkVisibility({contentVisibilityAuto: false}) || e.closest('script, style, button:disabled, select')) continue;
		const a = light(rgba(getComputedStyle(e).color)), b = light(behind(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < 4.5) poor.add(e.tagName + '.' + (e.className.baseVal ?? e.className) + ' ' + ratio.toFixed(2));
	}
	return [...poor];
})()`

// Text from files is never markup.
func TestRunsNothingInBrowser(t *testing.T) {
	browser := openBrowser(t)
	b := open(t, browser, hostilePage(t), "")
	eval[bool](b, "document.querySelectorAll('details').forEach(d => d.open = true), true")
	b.search("<IMG")
	b.wantStatus("5 findings")
	b.want("document.querySelector('.group td + td').textContent.includes('</script><script>window.pwned=1')")
	b.want("window.pwned === undefined")
	b.want("document.querySelectorAll('img, iframe, object, embed, [onerror], [onload]').length === 0")
	b.want("document.scripts.length === 1")
	off := open(t, browser, hostilePage(t), "", scriptsOff)
	off.want("document.querySelector('.rows').textContent.includes('<img src=x')")
	off.want("document.querySelectorAll('img, iframe, object, embed, [onerror], [onload]').length === 0")
}

// optimizedRecord returns the record of a capture that pdfcpu optimize damaged.
func optimizedRecord(t *testing.T) *report.Record {
	rep := fileReport(t, "../../../testdata/site-optimized.pdf")
	rep.Path = "site-optimized.pdf"
	return &report.Record{Path: rep.Path, Report: rep}
}

// The pictures of docs, made from damaged captures. With -update they are written; without it, the pages are opened
// and must not be wider than their screen. Only the overview of the real capture is shown: its pages and images
// belong to others.
func TestPicturesInBrowser(t *testing.T) {
	browser := openBrowser(t)
	for _, screen := range []struct {
		name          string // of the picture
		of            func(*testing.T) *report.Record
		width, height int64
		scheme, at    string
	}{
		{"report", optimizedRecord, 1280, 1000, "light", "overview"},
		{"report-narrow", optimizedRecord, 390, 844, "light", "files"},
		{"report-narrow-dark", optimizedRecord, 390, 844, "dark", "overview"},
		{"report-real", realRecord, 1280, 800, "light", "overview"},
	} {
		t.Run(screen.name, func(t *testing.T) {
			page := pageOf(t, report.Options{Head: report.Head{Rules: audit.Rules()}}, screen.of(t))
			b := open(t, browser, page, "", chromedp.EmulateViewport(screen.width, screen.height), prefer(screen.scheme))
			b.want(fmt.Sprintf("document.documentElement.scrollWidth <= %d", screen.width))
			eval[bool](b, "document.documentElement.style.scrollBehavior = 'auto', document.getElementById('"+screen.at+
				"').scrollIntoView(), true")
			png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			if *layouttest.Update {
				if err := os.WriteFile(filepath.Join("../../../docs", screen.name+".png"), png, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A page with many findings can be filtered.
func TestOfManyFindingsInBrowser(t *testing.T) {
	var records []*report.Record
	for i := range 200 {
		r := manyFindings(maxRows)[0]
		r.Path = fmt.Sprintf("%d.pdf", i)
		records = append(records, r)
	}
	text := pageOf(t, report.Options{Head: report.Head{Rules: audit.Rules()}}, records...)
	b := open(t, openBrowser(t), text, "")
	b.want("document.querySelectorAll('.group tbody tr').length === 100000")
	t.Logf("%d bytes, open after %.0f ms", len(text),
		eval[float64](b, "performance.getEntriesByType('navigation')[0].loadEventEnd"))
	b.search("entry 501")
	b.wantStatus("0 findings")
	b.search("487 199.pdf")
	b.wantStatus("2 findings")
}

// realRecord returns the audit record of a real capture of a site, damaged by pdfcpu optimize.
func realRecord(t *testing.T) *report.Record {
	t.Helper()
	paths := webcapturetest.NeedCorpus(t, "real/pdfcpu+pdfcpu__sample01")
	path := filepath.Join(t.TempDir(), "capture.pdf")
	if err := api.OptimizeFile(paths[0], path, nil); err != nil {
		t.Fatal(err)
	}
	rep := fileReport(t, path)
	rep.Size = 0 // differs each time that pdfcpu writes the file
	return &report.Record{Path: "capture.pdf", Report: rep}
}

func fileReport(t *testing.T, path string) *audit.Report {
	t.Helper()
	rep, err := audit.File(t.Context(), path, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep.Path = filepath.Base(path)
	return rep
}

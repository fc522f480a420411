//go:build browser

package html

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	keyboard "github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/pdfcpu/pdfcpu/pkg/api"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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
	b.Errorf("not true: %s; the status is %q", expression,
		eval[string](b, "document.getElementById('status')?.textContent ?? ''"))
}

// keys presses keys, each as one event, so that a page can handle a key before its character is typed.
func (b *tab) keys(text string) {
	b.Helper()
	for _, r := range text {
		press := chromedp.KeyEvent(string(r))
		if r >= ' ' && r < 0x7f {
			press = func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
				down := keyboard.DispatchKeyEventParams{Type: keyboard.DispatchKeyEventTypeKeyDown, Key: string(r), Text: string(r)}
				_, err := cdp.Call(ctx, t, keyboard.DispatchKeyEvent, down)
				return chromedp.Void{}, err
			}
		}
		if err := chromedp.Do(b.ctx, press); err != nil {
			b.Fatal(err)
		}
	}
}

func (b *tab) wantStatus(s string) {
	b.Helper()
	b.want(fmt.Sprintf("document.getElementById('status').textContent === %q", s))
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

var findingName = regexp.MustCompile(`<tr id="([^"]*)">`)

func TestInBrowser(t *testing.T) {
	browser := openBrowser(t)
	text := htmlOf(t, fileOf(t, "html.json"))
	names := findingName.FindAllStringSubmatch(text, -1)
	if len(names) < 10 {
		t.Fatalf("%d findings are not enough to test with", len(names))
	}
	total := fmt.Sprintf("%d findings", len(names))

	t.Run("search and filters", func(t *testing.T) {
		b := open(t, browser, text, "")
		b.wantStatus(total)
		b.keys("/")
		b.want("document.activeElement.id === 'search'")
		b.keys("treated as TEXT")
		b.want("[...document.querySelectorAll('#list li')].every(li => li.textContent.includes('WC303'))")
		b.want("document.querySelectorAll('#list li').length === 6")
		b.keys(kb.Escape)
		b.wantStatus(total)
		eval[bool](b, "document.querySelector('input[value=error]').click(), true")
		b.want("document.querySelectorAll('#list .badge.error').length === 0")
		eval[bool](b, "document.getElementById('reset').click(), true")
		b.wantStatus(total)
		eval[bool](b, "document.querySelector('a[data-rule=WC303]').click(), true")
		b.wantStatus("6 of " + total)
		b.want("document.activeElement.closest('#list li')")
		eval[bool](b, "document.querySelector('a[data-file=\"1\"]').click(), true")
		b.want("[...document.querySelectorAll('#list .where')].every(w => w.textContent.includes('archive/damaged.pdf · '))")
		eval[bool](b, "reset.click(), order.value = 'rule', order.dispatchEvent(new Event('change')), true")
		b.want("(ids => ids.length > 1 && ids.every((id, i) => i === 0 || ids[i-1] <= id))([...document.querySelectorAll('#list code')].map(c => c.textContent))")
		eval[bool](b, "proof.value = 'verified', proof.dispatchEvent(new Event('change')), true")
		b.want("document.querySelectorAll('.identities tr:not([hidden])').length > 1")
		b.want("[...document.querySelectorAll('tr[data-proof]:not([hidden])')].every(s => s.dataset.proof === 'verified')")
	})

	t.Run("deep links", func(t *testing.T) {
		last := names[len(names)-1][1]
		b := open(t, browser, text, "#"+last)
		b.want(fmt.Sprintf("document.activeElement.closest('li')?.id === %q", last))
		b.want("document.activeElement.parentElement.open")
		b.want("document.querySelector('#list details[open] .body').textContent.includes('ISO 32000')")
		b.want(fmt.Sprintf("document.querySelectorAll('[id=\"%s\"]').length === 1", last))
	})

	t.Run("keyboard", func(t *testing.T) {
		b := open(t, browser, text, "")
		at := func(i int) string {
			return fmt.Sprintf("document.activeElement === document.querySelectorAll('#list summary')[%d]", i)
		}
		b.keys("jj")
		b.want(at(1))
		b.keys(kb.Enter)
		b.want("document.activeElement.parentElement.open && document.activeElement.nextSibling?.textContent.includes('Place')")
		b.keys("k")
		b.want(at(0))
		b.keys(kb.ArrowDown)
		b.want(at(1))
		b.want("getComputedStyle(document.activeElement).outlineStyle === 'solid'")
	})

	t.Run("dark and light", func(t *testing.T) {
		for _, scheme := range []string{"light", "dark"} {
			b := open(t, browser, text, "", prefer(scheme))
			eval[bool](b, "document.querySelectorAll('details').forEach(d => d.open = true), true")
			b.want("document.querySelector('#list .body')")
			b.check()
			if poor := eval[[]string](b, contrasts); len(poor) > 0 {
				t.Errorf("%s: too little contrast: %q", scheme, poor)
			}
			before := eval[string](b, "getComputedStyle(document.body).backgroundColor")
			eval[bool](b, "document.getElementById('theme').click(), true")
			if after := eval[string](b, "getComputedStyle(document.body).backgroundColor"); after == before {
				t.Errorf("%s: the switch leaves the page %s", scheme, before)
			}
		}
	})

	t.Run("narrow", func(t *testing.T) {
		b := open(t, browser, text, "", chromedp.EmulateViewport(360, 700))
		eval[bool](b, "document.querySelectorAll('details').forEach(d => d.open = true), true")
		b.want("document.documentElement.scrollWidth <= 360")
	})

	t.Run("without scripts", func(t *testing.T) {
		first := names[0][1]
		b := open(t, browser, text, "#"+first, scriptsOff)
		b.want("!document.documentElement.classList.contains('js') && document.getElementById('findings').hidden")
		b.want(fmt.Sprintf("document.querySelectorAll('.plain tr[id]').length === %d", len(names)))
		b.want("[...document.querySelectorAll('.plain tr[id]')].every(tr => tr.checkVisibility({contentVisibilityAuto: false}))")
		b.want("document.querySelectorAll('.identities tr').length > 1")
		b.want("[...document.querySelectorAll('.why')].some(w => w.textContent.length > 50)")
		b.want(fmt.Sprintf("document.querySelector(':target').id === %q", first))
		b.want("!document.getElementById('theme').checkVisibility()")
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
	b.wantStatus("5 findings")
	b.order("file")
	eval[bool](b, "document.querySelectorAll('details').forEach(d => d.open = true), true")
	b.want("document.querySelectorAll('#list .body').length === 5")
	b.keys("/<IMG")
	b.want("document.querySelector('#search').value === '<IMG'")
	b.wantStatus("5 findings")
	b.want("document.querySelector('#list .message').textContent.includes('</script><script>window.pwned=1')")
	b.want("window.pwned === undefined")
	b.want("document.querySelectorAll('img, iframe, object, embed, [onerror], [onload]').length === 0")
	b.want("document.scripts.length === 2")
	off := open(t, browser, hostilePage(t), "", scriptsOff)
	off.want("document.querySelector('.rows').textContent.includes('<img src=x')")
	off.want("document.querySelectorAll('img, iframe, object, embed, [onerror], [onload]').length === 0")
}

// The address contains the open rows, and opens them again.
func TestKeepsOpenRowsInBrowser(t *testing.T) {
	browser := openBrowser(t)
	text := htmlOf(t, fileOf(t, "html.json"))
	b := open(t, browser, text, "")
	b.want("document.getElementById('theme').textContent === 'Dark theme'")
	eval[bool](b, "document.querySelectorAll('#list summary')[1].click(), true")
	b.want("location.hash.startsWith('#findings?open=')")
	hash := eval[string](b, "location.hash")
	again := open(t, browser, text, hash)
	again.want("document.querySelectorAll('#list details[open]').length === 1 && document.querySelectorAll('#list details')[1].open")
	again.want("document.querySelector('#list details[open] .body')")
	eval[bool](again, "document.querySelectorAll('#list summary')[1].click(), true")
	again.want("location.hash === '#findings'")
}

// A closed row describes the problem in words, and shortens hexadecimal strings.
func TestRowsInBrowser(t *testing.T) {
	b := open(t, openBrowser(t), pageOf(t, report.Options{Head: report.Head{Rules: audit.Rules()}}, optimizedRecord(t)), "")
	b.want("[...document.querySelectorAll('#list .where')].some(w => w.textContent.startsWith('IDS keys stored as text · site-optimized.pdf · entry 1 of '))")
	eval[bool](b, "document.querySelector('a[data-rule=WC126]').click(), true")
	b.wantStatus("1 of 7 findings")
	b.want("/<[0-9a-f]{8}…[0-9a-f]{4}>/.test(document.querySelector('#list .message').textContent)")
	eval[bool](b, "document.querySelector('#list summary').click(), true")
	b.want("/<[0-9a-f]{20,}>/.test(document.querySelector('#list .body').textContent)")
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
		{"report", optimizedRecord, 1280, 1000, "light", "theme"},
		{"report-narrow", optimizedRecord, 390, 844, "light", "findings"},
		{"report-narrow-dark", optimizedRecord, 390, 844, "dark", "theme"},
		{"report-real", realRecord, 1280, 800, "light", "theme"},
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

// order sorts the findings.
func (b *tab) order(by string) {
	b.Helper()
	eval[bool](b, "(order => { order.value = '"+by+
		"'; return order.dispatchEvent(new Event('change')) })(document.getElementById('order'))")
}

// Only some of many similar findings are shown, with a link to all. The address contains this choice.
func TestShortensInBrowser(t *testing.T) {
	browser := openBrowser(t)
	rec := manyFindings(9)[0]
	change(rec, 4, func(f *rule.Finding) { f.Rule = &rule.Rule{ID: "WC103", Problem: "A note", Level: rule.Note} })
	var out bytes.Buffer
	if err := writeAll(newWriter(&out, report.Options{Head: report.Head{Rules: audit.Rules()}}),
		[]*report.Record{rec}); err != nil {
		t.Fatal(err)
	}
	b := open(t, browser, out.String(), "")
	b.wantStatus("9 findings")
	b.want("document.querySelectorAll('#list summary').length === 6")
	b.want("[...document.querySelectorAll('#list .others')].map(e => e.textContent).join() === '… and 2 more of WC302 in this file: A title,… and 1 more of WC103 in this file: A note'")
	eval[bool](b, "document.querySelector('#list .others a').click(), true")
	b.wantStatus("5 of 9 findings")
	b.want("document.querySelectorAll('#list summary').length === 5 && document.querySelectorAll('#list .others').length === 0")
	b.want("location.hash === '#findings?rule=WC302&file=1'")
	b.keys(kb.Escape)
	b.wantStatus("9 findings")
	b.want("location.hash === '#findings'")
	eval[bool](b, "document.querySelector('.tile a[data-level=note]').click(), true")
	b.wantStatus("4 of 9 findings")
	b.want("location.hash === '#findings?without=error%2Cwarning'")

	again := open(t, browser, out.String(), "#findings?rule=WC302&q=message&order=rule")
	again.wantStatus("5 of 9 findings")
	again.want("document.getElementById('search').value === 'message' && document.getElementById('order').value === 'rule'")
	wrong := open(t, browser, out.String(), "#findings?rule=WC999&file=7&order=x&without=none")
	wrong.wantStatus("9 findings")

	// Its own address shows a finding that is not among the first.
	names := report.Fingerprints(rec, report.FingerprintPath(rec.Path, "", ""))
	last := open(t, browser, out.String(), "#"+names[len(names)-1])
	last.want("document.querySelector('#list details[open]').parentElement.id === '" + names[len(names)-1] + "'")
}

// A page with many findings has a limited number of elements.
func TestOfManyFindingsInBrowser(t *testing.T) {
	browser := openBrowser(t)
	var out bytes.Buffer
	w := newWriter(&out, report.Options{Head: report.Head{Rules: audit.Rules()}})
	if err := writeAll(w, manyFindings(maxData)); err != nil {
		t.Fatal(err)
	}
	b := open(t, browser, out.String(), "")
	b.wantStatus("100,000 findings")
	t.Logf("%d bytes, open and searchable after %.0f ms", out.Len(),
		eval[float64](b, "performance.getEntriesByType('navigation')[0].loadEventEnd"))
	bounded := func() {
		t.Helper()
		b.want("document.querySelectorAll('#list li').length <= 50")
		b.want("document.querySelectorAll('*').length < 20000")
	}
	bounded()
	b.keys("/entry 100000")
	b.wantStatus("1 of 100,000 findings")
	bounded()
	b.keys(kb.Escape)
	b.wantStatus("100,000 findings")
	b.order("file")
	eval[bool](b, "document.getElementById('next').click(), true")
	b.want("document.getElementById('page').textContent === 'page 2 of 2,000'")
	b.keys("k")
	b.want("document.getElementById('page').textContent === 'page 1 of 2,000' && document.activeElement === document.querySelectorAll('#list summary')[49]")
	bounded()
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

//go:build browser

package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var browsers = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// pageFile is the page that go generate builds.
const pageFile = "out/webcap.html"

// newBrowser starts a browser without network. Tests skip without a browser, and fail without the page.
func newBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path := webcapturetest.Program(t, browsers...)
	if _, err := os.Stat(pageFile); err != nil {
		t.Fatalf("%v: run go generate ./webcapture/browser", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// Tests see into frames of the same process only.
		chromedp.Flag("disable-features", "IsolateSandboxedIframes,site-per-process,Translate"))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// tab is the page in a tab of a browser, with what went wrong in it.
type tab struct {
	*testing.T
	ctx context.Context
	url string

	ignored []string // parts of events

	mu     sync.Mutex
	events []string // errors, requests after the page, dialogs
}

// openPage opens the page from its file.
func openPage(t *testing.T, browser context.Context, first ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	file, err := filepath.Abs(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	return openURL(t, browser, (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String(), first...)
}

func openURL(t *testing.T, browser context.Context, at string, first ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, late := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(late)
	if err := chromedp.Do(ctx, first...); err != nil {
		t.Fatal(err)
	}
	b := &tab{T: t, ctx: ctx, url: at}
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(b.url)); err != nil {
		t.Fatal(err)
	}
	b.want("document.documentElement.dataset.ready")
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
		for _, a := range ev.Args {
			b.events = append(b.events, fmt.Sprintf("console: %s %s", a.Value, a.Description))
		}
	case *runtime.EventExceptionThrown:
		b.events = append(b.events, fmt.Sprintf("exception: %+v", ev.ExceptionDetails))
	case *page.EventJavascriptDialogOpening:
		b.events = append(b.events, "dialog: "+ev.Message)
	case *network.EventRequestWillBeSent:
		own := ev.Request.URL == b.url
		for _, scheme := range []string{"data:", "blob:", "about:srcdoc"} { // which are in the page
			own = own || strings.HasPrefix(ev.Request.URL, scheme)
		}
		if !own {
			b.events = append(b.events, "request: "+ev.Request.URL)
		}
	}
}

// ignore accepts errors that contain a text.
func (b *tab) ignore(text string) { b.ignored = append(b.ignored, text) }

// check makes sure that nothing went wrong.
func (b *tab) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if !slices.ContainsFunc(b.ignored, func(text string) bool { return strings.Contains(e, text) }) {
			b.Error(e)
		}
	}
	b.events = nil
}

// eval returns the value of an expression.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// do evaluates a statement.
func (b *tab) do(statement string) {
	b.Helper()
	eval[bool](b, "(() => { "+statement+"; return true })()")
}

// want makes sure that an expression becomes true.
func (b *tab) want(expression string) {
	b.Helper()
	for range 1200 {
		if eval[bool](b, "!!("+expression+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("not true: %s; "+
		"the page says %q", expression, eval[string](b, "document.querySelector('main').innerText.slice(0, 2000)"))
}

// click clicks the button with a text.
func (b *tab) click(text string) {
	b.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll('button')].find(b => b.checkVisibility() && "+
		"b.textContent.trim() === %q)", text)
	b.want(find)
	b.do(find + ".click()")
}

// choose gives files to an input.
func (b *tab) choose(input string, paths ...string) {
	b.Helper()
	for i, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			b.Fatal(err)
		}
		paths[i] = abs
	}
	err := chromedp.Do(b.ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		object, err := cdp.Call(ctx, t, runtime.Evaluate,
			runtime.EvaluateParams{Expression: "document.querySelector('" + input + "')"})
		if err != nil {
			return chromedp.Void{}, err
		}
		_, err = cdp.Call(ctx, t, dom.SetFileInputFiles,
			dom.SetFileInputFilesParams{Files: paths, ObjectID: object.Result.ObjectID})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// prefer sets the color scheme that the device prefers.
func prefer(scheme string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return chromedp.Void{}, err
	}
}

// picture writes a screenshot.
func (b *tab) picture(path string) {
	b.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, png, 0o666); err != nil {
		b.Fatal(err)
	}
}

// keepDownloads makes the page keep downloads in window.saved, in base64. The policy of the page does not permit to
// fetch their blobs.
func (b *tab) keepDownloads() {
	b.Helper()
	b.do(`window.saved = {};
	const blobs = new Map(), make = URL.createObjectURL;
	URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
	HTMLAnchorElement.prototype.click = function () {
		const name = this.download, reader = new FileReader();
		reader.onload = () => { window.saved[name] = reader.result.slice(reader.result.indexOf(",") + 1); };
		reader.readAsDataURL(blobs.get(this.href));
	}`)
}

// saved returns a file that the page offered for download.
func (b *tab) saved(name string) []byte {
	b.Helper()
	b.want(fmt.Sprintf("window.saved[%q] !== undefined", name))
	data, err := base64.StdEncoding.DecodeString(eval[string](b, fmt.Sprintf("window.saved[%q]", name)))
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// inFrame makes sure that an expression becomes true in the frame of the page.
func (b *tab) inFrame(expression string) {
	b.Helper()
	for range 400 {
		if b.evalInFrame(expression) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("not true in the frame: %s", expression)
}

func (b *tab) evalInFrame(expression string) bool {
	value, _ := b.frameValue("!!(" + expression + ")")
	return value == "true"
}

// frameValue returns the value of an expression in the frame of the page, or what its promise gives, as JSON.
func (b *tab) frameValue(expression string) (string, error) {
	await := true
	return chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (string, error) {
		tree, err := cdp.Call(ctx, t, page.GetFrameTree, cdp.Empty{})
		if err != nil || len(tree.FrameTree.ChildFrames) == 0 {
			return "", err
		}
		world, err := cdp.Call(ctx, t, page.CreateIsolatedWorld,
			page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID})
		if err != nil {
			return "", err
		}
		got, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: expression,
			ContextID: world.ExecutionContextID, AwaitPromise: &await})
		if err != nil {
			return "", err
		}
		return string(got.Result.Value), nil
	})
}

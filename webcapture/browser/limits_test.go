//go:build browser

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// capture writes a capture with n page sets, and n image sets.
func capture(t *testing.T, n int) (path string, size int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "capture.pdf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opt := webcapturetest.Options{Leaf: 64, Images: 1}
	if err := webcapturetest.WriteSets(f, n, opt, webcapturetest.Layout{}); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return path, info.Size()
}

// countWorkers makes the page count its workers in window.workers.
func countWorkers(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	const script = `window.workers = 0;
	window.Worker = class extends Worker { constructor(url) { super(url); window.workers++; } };`
	_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	return chromedp.Void{}, err
}

// A capture of 100 MB is audited, the worker that has needed much memory is replaced, and the page goes on.
func TestLargeFileInBrowser(t *testing.T) {
	path, size := capture(t, 190_000)
	if size < 100<<20 {
		t.Fatalf("the capture has %d bytes, want 100 MB", size)
	}
	b := openPage(t, newBrowser(t), countWorkers)
	b.choose("#file-input", path)
	b.choose("#file-input", damaged)
	b.audited()
	if got := b.results(); got != "clean,errors" {
		t.Errorf("the results are %s", got)
	}
	if n := eval[int](b, "window.workers"); n < 2 {
		t.Error("the worker is not replaced")
	}
}

// A file beyond the limit is skipped, and the page names the command.
func TestTooLargeFileInBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it's large.pdf")
	write(t, path, []byte("%PDF-1.7"))
	if err := os.Truncate(path, 512<<20+1); err != nil {
		t.Fatal(err)
	}
	b := openPage(t, newBrowser(t))
	b.choose("#file-input", path, damaged)
	b.audited()
	if got := b.results(); got != "skipped,errors" {
		t.Errorf("the results are %s", got)
	}
	b.want(`document.getElementById('files').textContent.includes("larger than 512 MB, the limit of this page; ` +
		`use the command line: webcap audit 'it'\\''s large.pdf'")`)
}

// If the memory runs out, the page says so, starts a new worker, and audits the next file.
func TestOutOfMemoryInBrowser(t *testing.T) {
	path, _ := capture(t, 60_000)
	b := openPage(t, newBrowser(t, chromedp.Flag("js-flags", "--wasm-max-mem-pages=1600")), countWorkers)
	b.ignore("fatal error") // Go writes it to the console
	b.choose("#file-input", damaged, path, "../../testdata/site.pdf")
	b.audited()
	if got := b.results(); got != "errors,not audited,clean" {
		t.Errorf("the results are %s", got)
	}
	b.want("document.getElementById('files').textContent.includes('ran out of memory for this file; " +
		"use the command line: webcap audit capture.pdf')")
	if n := eval[int](b, "window.workers"); n != 2 {
		t.Errorf("there were %d workers, want 2", n)
	}
}

// Bombs have the results of the command line, and the page goes on.
func TestBombsInBrowser(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for i, bomb := range webcapturetest.Bombs() {
		if !strings.Contains(bomb.Name, "of 15 MB") { // others take minutes
			continue
		}
		path := filepath.Join(folder, fmt.Sprintf("%02d.pdf", i))
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(bomb.Write(f), f.Close()); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	b := openPage(t, newBrowser(t))
	b.choose("#file-input", append(paths, damaged)...)
	b.audited()
	got := strings.Split(b.results(), ",")
	if got[len(got)-1] != "errors" {
		t.Errorf("after bombs, the audit of a file is %s", got[len(got)-1])
	}
	for i, path := range paths {
		if slices.Contains([]string{"clean", "errors", "nothing to audit"}, got[i]) {
			t.Errorf("%s: %s, although it was not read as a whole", path, got[i])
		}
	}
}

// The page works from a file without a network: it makes no request, and its policy would permit none.
func TestNoNetworkInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t), func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Offline: true}}})
		return chromedp.Void{}, err
	})
	b.click("Try a sample")
	b.want("document.querySelectorAll('.steps input').length === 7 && " +
		"document.querySelector('iframe')?.srcdoc.includes('WC303')")
}

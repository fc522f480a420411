//go:build browser

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// audited waits until no file is waiting.
func (b *tab) audited() {
	b.Helper()
	b.want("document.getElementById('run').hidden && document.querySelectorAll('#files tbody tr').length > 0")
}

// results returns the badges of all files.
func (b *tab) results() string {
	b.Helper()
	return eval[string](b, "[...document.querySelectorAll('#files tbody tr')].map(r => r.cells[1].textContent).join()")
}

// drop drops the files that a script adds to d, a DataTransfer.
func (b *tab) drop(script string) {
	b.Helper()
	b.do("const d = new DataTransfer(); " + script + "; const event = new DragEvent('drop', " +
		"{dataTransfer: d, bubbles: true, cancelable: true}); document.getElementById('drop').dispatchEvent(event)")
}

func TestAuditAndRepairInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.keepDownloads()
	b.click("Try a sample")
	b.want("document.querySelectorAll('.steps input').length === 7")
	b.want("document.getElementById('detail').textContent.includes(" +
		"'A tool that rewrote this file damaged all 6 keys of IDS')")
	b.want("document.querySelector('iframe')?.srcdoc.includes('WC303')")
	b.want("document.querySelector('.evidence')?.textContent.includes('The right value follows from')")
	b.inFrame("document.querySelectorAll('details.group tbody tr').length === 7")
	b.click("Download repaired file")
	whole := b.saved("sample.repaired.pdf")
	if !bytes.Equal(whole, byCommand(t, damaged)) {
		t.Error("the command line writes another file")
	}
	b.want("document.querySelector('.card.repair')?.textContent.includes('Its audit: 0 errors')")
	b.do("document.querySelectorAll('.steps input')[1].click()")
	b.want("document.querySelector('.card.repair')?.textContent.includes('6 of 7 steps selected')")
	b.do("window.saved = {}")
	b.click("Download repaired file")
	b.want("document.querySelector('.card.repair')?.textContent.includes('Its audit: 1 error')")
	if less := b.saved("sample.repaired.pdf"); bytes.Equal(less, whole) {
		t.Error("a step that is not selected is carried out")
	}
	b.click("Select none")
	b.click("Select all")
	b.click("Select none")
	b.want("[...document.querySelectorAll('button')].find(b => b.textContent === 'Download repaired file').disabled")
	b.do("document.querySelector('.original-input')")
	b.choose(".original-input", "../../testdata/site.pdf")
	b.want("document.querySelector('#detail pre')?.textContent.includes('IDS')")
	b.do("window.saved = {}")
	b.click("Download repaired file")
	if !bytes.Equal(b.saved("sample.repaired.pdf"), byCommand(t, damaged, "--from", "../../testdata/site.pdf")) {
		t.Error("with the original, the command line writes another file")
	}
}

func TestDownloadsInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.keepDownloads()
	b.choose("#file-input", damaged, "../../testdata/site.pdf")
	b.audited()
	b.want("document.querySelectorAll('#format option').length > 0")
	for _, name := range strings.Split(eval[string](b, "[...document.querySelectorAll('#format option')].map(o => "+
		"o.value).join()"), ",") {
		b.do("window.saved = {}; " +
			"document.getElementById('format').value = '" + name + "'; document.getElementById('save-results').click()")
		b.want("Object.keys(window.saved).length === 1")
		if n := eval[int](b, "Object.values(window.saved)[0].length"); n < 100 {
			t.Errorf("%s has %d bytes", name, n)
		}
	}
	b.click("One report of all files")
	b.want("document.querySelector('iframe')?.srcdoc.includes('site.pdf') && " +
		"document.querySelector('iframe').srcdoc.includes('site-optimized.pdf')")
	b.click("What was captured")
	b.want("document.querySelector('#captures-frame iframe')?.srcdoc.includes('00000002/index.html')")
	b.do("document.getElementById('query').value = 'http://www.example.org/archive/00000001/index.html?rev=1'; " +
		"document.querySelector('#find button').click()")
	b.want("document.querySelectorAll('#found tbody tr').length > 0")
	for _, name := range []string{"table", "json", "ndjson", "csv", "html"} {
		b.do("window.saved = {}; " +
			"document.getElementById('captures-format').value = '" + name + "';" +
			"document.getElementById('save-captures').click()")
		b.want("Object.values(window.saved)[0]?.length > 100")
	}
}

// Each key has its verdict, and a link that opens its page in the viewer of the browser. The link leads to the file.
func TestKeysInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.keepDownloads()
	b.click("Try a sample")
	b.want("[...document.querySelectorAll('summary')].find(s => s.textContent.startsWith('Each key'))")
	b.do("[...document.querySelectorAll('summary')].find(s => s.textContent.startsWith('Each key')).click()")
	b.want("document.querySelectorAll('.key-list tbody tr').length === 12")
	b.want("document.querySelector('.key-list tbody tr').textContent.includes('expected <')")
	b.want("/^blob:.*#page=[1-9]$/.test(document.querySelector('.key-list a').href)")
	b.do("const a = document.createElement('a'); a.href = document.querySelector('.key-list a').href.split('#')[0]; " +
		"a.download = 'linked'; a.click()")
	if !bytes.Equal(b.saved("linked"), read(t, damaged)) {
		t.Error("the link of a page leads to another file")
	}
	b.click("Download csv")
	if rows := bytes.Count(b.saved("sample.keys.csv"), []byte("\n")); rows != 13 {
		t.Errorf("the list has %d lines, want 13", rows)
	}
}

// For broken and encrypted files, the page says the same as the command line.
func TestBadFilesInBrowser(t *testing.T) {
	folder := t.TempDir()
	encrypted := filepath.Join(folder, "encrypted.pdf")
	write(t, encrypted, webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{
		Encryption: &webcapturetest.Encryption{Revision: 6, User: "open"}}))
	empty, text := filepath.Join(folder, "empty.pdf"), filepath.Join(folder, "text.pdf")
	last := filepath.Join(folder, "last.pdf")
	write(t, empty, nil)
	write(t, text, []byte("text"))
	write(t, last, []byte("%PDF-1.4\n1 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n"))
	b := openPage(t, newBrowser(t))
	b.choose("#file-input", encrypted, empty, text, last)
	b.audited()
	if got := b.results(); got != "needs a password,not audited,not audited,not audited" {
		t.Errorf("the results are %s", got)
	}
	for _, want := range []string{"the file is empty", "not a PDF: no %PDF- header", "webcap audit FILE"} {
		b.want(fmt.Sprintf("document.getElementById('files').textContent.includes(%q)", want))
	}
	b.click("encrypted.pdf")
	b.want("document.activeElement.type === 'password'")
	b.do("document.getElementById('password').value = 'wrong'")
	b.click("Open")
	b.want("document.getElementById('detail').textContent.includes('does not open the file')")
	b.do("document.getElementById('password').value = 'open'")
	b.click("Open")
	b.want("document.querySelector('#detail .card.done, #detail .card.repair')")
	b.want("document.querySelector('#detail iframe')")
}

// The page works when it was served, and the server is gone.
func TestOfflineInBrowser(t *testing.T) {
	text := read(t, pageFile)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(text)
	}))
	defer server.Close()
	b := openURL(t, newBrowser(t), server.URL+"/", offlineLater)
	server.CloseClientConnections()
	server.Close()
	b.click("Try a sample")
	b.want("document.querySelector('iframe')?.srcdoc.includes('WC303')")
	b.want("document.querySelectorAll('.steps input').length === 7")
	if n := eval[int](b, "localStorage.length + sessionStorage.length + document.cookie.length"); n != 0 {
		t.Errorf("the page stores something")
	}
	b.do("window.blocked = 'no answer'; fetch('/').then(() => { window.blocked = 'fetched' }, () => " +
		"{ window.blocked = 'blocked' })")
	b.want("window.blocked === 'blocked'")
	b.mu.Lock()
	b.events = nil // of the policy, about that
	b.mu.Unlock()
}

func offlineLater(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
	return chromedp.Void{}, err
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestManyFilesInBrowser(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for i := range 200 {
		path := filepath.Join(folder, fmt.Sprintf("%03d.pdf", i))
		write(t, path, read(t, []string{damaged, "../../testdata/site.pdf"}[i%2]))
		paths = append(paths, path)
	}
	b := openPage(t, newBrowser(t))
	b.choose("#file-input", paths...)
	b.want("document.querySelectorAll('#files .badge.error').length > 2") // as they arrive
	b.audited()
	if got := strings.Count(b.results(), "errors"); got != 100 {
		t.Errorf("%d files have errors, want 100", got)
	}
	b.click("One report of all files")
	b.want("document.querySelector('#detail iframe')?.srcdoc.includes('199.pdf')")
}

// A canceled run keeps the results that it has, and the page goes on.
func TestCancelInBrowser(t *testing.T) {
	large, _ := capture(t, 100_000)
	b := openPage(t, newBrowser(t))
	b.choose("#file-input", damaged, large, "../../testdata/site.pdf")
	b.want("document.querySelectorAll('#files tbody tr')[1].textContent.includes('running')")
	b.click("Cancel")
	b.audited()
	if got := b.results(); got != "errors,canceled,canceled" {
		t.Errorf("the results are %s", got)
	}
	b.do("document.querySelectorAll('#files button.name')[2].click()")
	b.click("Try again")
	b.want("document.querySelectorAll('#files tbody tr')[2].textContent.includes('clean')")
}

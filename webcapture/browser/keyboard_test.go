//go:build browser

package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// press sends keys to what has the focus.
func (b *tab) press(keys string) {
	b.Helper()
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent(keys)); err != nil {
		b.Fatal(err)
	}
}

// tabTo presses Tab until the element that a selector finds has the focus.
func (b *tab) tabTo(selector string) {
	b.Helper()
	for range 60 {
		if eval[bool](b, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
		b.press(kb.Tab)
	}
	b.Fatalf("the Tab key does not reach %s", selector)
}

// A capture is audited and repaired with keys alone, and what has the focus shows it.
func TestKeyboardInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.tabTo("#sample")
	b.want("document.activeElement.matches(':focus-visible') && " +
		"getComputedStyle(document.activeElement).outlineStyle !== 'none'")
	b.press(kb.Enter)
	b.want("document.querySelectorAll('.steps input:checked').length === 7")
	b.tabTo(".steps input")
	b.press(" ")
	b.want("document.querySelectorAll('.steps input:checked').length < 7")
	b.press(" ")
	b.want("document.querySelectorAll('.steps input:checked').length === 7")
	b.keepDownloads()
	b.tabTo("#detail button.primary")
	b.press(kb.Enter)
	b.want("Object.keys(window.saved).some(name => name.endsWith('.pdf'))")

	b.do("document.getElementById('tab-audit').focus()")
	for _, id := range []string{"captures", "audit"} {
		b.press(kb.ArrowRight)
		b.want(fmt.Sprintf("document.activeElement.id === 'tab-%[1]s' && "+
			"document.activeElement.getAttribute('aria-selected') === 'true' && "+
			"document.getElementById('%[1]s').checkVisibility()", id))
	}
}

// Nothing moves where the device asks for less motion.
func TestReducedMotionInBrowser(t *testing.T) {
	browser := newBrowser(t)
	for _, motion := range []struct{ preference, moves string }{{"no-preference", "true"}, {"reduce", "false"}} {
		features := []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: motion.preference}}
		b := openPage(t, browser, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia,
				emulation.SetEmulatedMediaParams{Features: features})
			return chromedp.Void{}, err
		})
		b.want("[...document.querySelectorAll('*')].some(e => { const s = getComputedStyle(e); " +
			"return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none' || " +
			"s.scrollBehavior === 'smooth' }) === " + motion.moves)
	}
}

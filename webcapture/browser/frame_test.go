//go:build browser

package main

import "testing"

// The report in the frame filters, and follows its links, as it does in a file of its own.
func TestReportFrameInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.click("Try a sample")
	b.want("document.querySelector('iframe')?.srcdoc.includes('WC303')")
	b.inFrame("document.getElementById('status').textContent === '7 findings'")
	b.inFrame("document.getElementById('search').value = 'WC126', " +
		"document.getElementById('search').dispatchEvent(new Event('input'))")
	b.inFrame("document.getElementById('status').textContent.startsWith('1 of 7')")
	b.inFrame("location.hash === '#findings?q=WC126'")
	b.inFrame("document.documentElement.style.scrollBehavior = 'auto'") // a frame out of sight does not scroll smoothly
	b.inFrame("document.querySelector('a[href=\"#rules\"]').click(), true")
	b.inFrame("location.hash === '#rules'")
	b.inFrame("document.getElementById('rules').getBoundingClientRect().top < innerHeight")
	b.inFrame("document.querySelector('a[data-rule=WC126]').click(), true")
	b.inFrame("document.getElementById('status').textContent.startsWith('1 of 7')")
}

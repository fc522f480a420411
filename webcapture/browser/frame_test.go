//go:build browser

package main

import "testing"

// The report in the frame filters, and follows its links, as it does in a file of its own.
func TestReportFrameInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.click("Try a sample")
	b.want("document.querySelector('iframe')?.srcdoc.includes('WC303')")
	b.inFrame("document.querySelectorAll('details.group tbody tr').length === 7")
	b.inFrame("document.querySelector('#filter input').value = 'WC126', " +
		"document.querySelector('#filter input').dispatchEvent(new Event('input', { bubbles: true }))")
	b.inFrame("document.querySelector('#filter [role=status]').textContent === '1 finding'")
	b.inFrame("document.documentElement.style.scrollBehavior = 'auto'") // a frame out of sight does not scroll smoothly
	b.inFrame("document.querySelector('a[href=\"#rules\"]').click(), true")
	b.inFrame("document.getElementById('rules').getBoundingClientRect().top < innerHeight")
}

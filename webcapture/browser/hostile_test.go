//go:build browser

package main

import (
	"strings"
	"testing"
)

// Names of files are texts: none runs as a script, and none disguises the end of a name.
func TestHostileNamesInBrowser(t *testing.T) {
	b := openPage(t, newBrowser(t))
	b.drop(`const text = document.getElementById("sample-file").textContent;
	const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
	for (const name of ["<img src=x onerror=alert(1)>.pdf", "\u202Efdp.exe", "<script>alert(2)<\/script>.pdf",
		"a'\"&.pdf", "same.pdf", "same.pdf"])
		d.items.add(new File([bytes], name));
	d.items.add(new File(["<svg onload=alert(3)>"], "..\u2028x.pdf"))`)
	b.audited()
	names := eval[string](b, "[...document.querySelectorAll('#files button.name')].map(b => b.textContent).join('|')")
	if names != "<img src=x onerror=alert(1)>.pdf|\uFFFDfdp.exe|<script>alert(2)</script>.pdf|a'\"&.pdf|same.pdf|"+
		"same (2).pdf|..\uFFFDx.pdf" {
		t.Errorf("the names are %s", names)
	}
	if got := b.results(); got != strings.Repeat("errors,", 6)+"not audited" {
		t.Errorf("the results are %s", got)
	}
	b.click("One report of all files")
	b.want("document.querySelector('#detail iframe')?.srcdoc.includes('same (2).pdf')")
	b.inFrame("document.querySelectorAll('details.group tbody tr').length > 0")
	b.inFrame("!document.querySelector('img[src=x]')")
	b.click("What was captured")
	b.want("document.querySelector('#captures-frame iframe')")
	b.do("document.getElementById('query').value = 'http://www.example.org/archive/00000001/index.html?rev=1'; " +
		"document.querySelector('#find button').click()")
	b.want("document.querySelectorAll('#found tbody tr').length > 0")
	b.want("!document.querySelector('main img, main script, main svg:not(.drop svg)')")
}

package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// withPages ends a document that has a page tree with some kids, and further
// entries of the catalog.
func (d *database) withPages(kids, more string) *webcapturetest.Document {
	d.done()
	pages := refTo(d.Add("<< /Type /Pages /Kids [ " + kids + "] /Count 1 /MediaBox [ 0 0 612 792 ] >>"))
	catalog := strings.TrimSuffix(strings.TrimSpace(d.Body(d.Root)), ">>")
	d.Set(d.Root, catalog+" /Pages "+pages+" "+more+" >>")
	return d.Document
}

var documentHostiles = []hostile{
	{"n page sets share O with n pages", func(n int) *webcapturetest.Document {
		d := newDatabase()
		kids := repeatText(n, func(i int) string { return refTo(d.Add("<< /Type /Page /ID "+id16(i)+" >>")) + " " })
		o := refTo(d.Add("[ " + kids + "]"))
		for i := range n {
			s := d.set(id16(i), o, au(i))
			d.url(urlOf(i), s)
			d.id(id16(i), s)
		}
		return d.withPages(kids, "")
	}},
	{"n pages share n links and n images", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", au(0))
		d.url(urlOf(0), s)
		d.id(id16(1), s)
		link := refTo(d.Add("<< /Type /Annot /Subtype /Link /PA << /S /URI /URI (http://x.example/) >> /A << /S /GoTo /D (no such destination) >> >>"))
		annots := refTo(d.Add("[ " + repeatText(n, func(int) string { return link + " " }) + "]"))
		image := refTo(d.AddStream("/Type /XObject /Subtype /Image", []byte("x")))
		xobjects := refTo(d.Add("<< " + repeatText(n, func(i int) string { return fmt.Sprintf("/I%d %s ", i, image) }) + ">>"))
		kids := repeatText(n, func(int) string {
			return refTo(d.Add("<< /Type /Page /ID "+id16(1)+" /Annots "+annots+" /Resources << /XObject "+xobjects+" >> >>")) + " "
		})
		return d.withPages(kids, "")
	}},
	{"n pages show n forms that name each other", func(n int) *webcapturetest.Document {
		d := newDatabase()
		d.url(urlOf(0), d.set(id16(1), "[ ]", au(0)))
		forms := d.Reserve()
		all := repeatText(n, func(i int) string {
			dict := "/Type /XObject /Subtype /Form /Resources << /XObject " + refTo(forms) + " >>"
			return fmt.Sprintf("/F%d %s ", i, refTo(d.AddStream(dict, nil)))
		})
		d.Set(forms, "<< "+all+">>")
		kids := repeatText(n, func(int) string {
			return refTo(d.Add("<< /Type /Page /Resources << /XObject << /F "+refTo(forms+1)+" >> >> >>")) + " "
		})
		return d.withPages(kids, "")
	}},
	{"n objects with one number", func(n int) *webcapturetest.Document {
		d := newDatabase()
		o := "[ " + repeatText(n, func(i int) string { return fmt.Sprintf("900 %d R ", i) }) + "]"
		s := d.set(id16(1), o, au(0))
		d.url(urlOf(0), s)
		d.id(id16(1), s)
		return d.withPages("", "")
	}},
	{"fields, outlines, pages and forms in circles", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", au(0))
		d.url(urlOf(0), s)
		d.id(id16(1), s)
		first := d.Reserve()
		fields := repeatText(n, func(int) string { return refTo(first) + " " })
		d.Set(first, "<< /T (a) /FT /Sig /Kids [ "+fields+"] /First "+refTo(first)+" /Next "+refTo(first)+" >>")
		page := d.Reserve()
		form := d.Reserve()
		resources := "<< /XObject << /F " + refTo(form) + " >> >>"
		d.SetStream(form, "/Type /XObject /Subtype /Form /BBox [ 0 0 1 1 ] /Resources "+resources, nil)
		d.Set(page, "<< /Type /Page /Resources "+resources+" /Annots [ "+refTo(page)+" ] >>")
		return d.withPages(refTo(page)+" "+refTo(page)+" ", "/Outlines "+refTo(first)+" /AcroForm << /Fields [ "+fields+"] >>")
	}},
}

// TestHostileDocument is TestHostile for what is outside of the trees.
func TestHostileDocument(t *testing.T) {
	for _, h := range documentHostiles {
		t.Run(h.name, func(t *testing.T) {
			data := h.make(engine.Chunk + 900).Bytes(plainLayout)
			var first *Report
			for _, procs := range []int{1, 4, 4} {
				rep := auditWith(t, procs, data, Options{budget: 8 << 20})
				if first == nil {
					first = rep
				}
				sameReport(t, first, rep)
			}
		})
	}
}

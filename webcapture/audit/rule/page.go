package rule

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Page is one page with its Web Capture entries.
type Page struct {
	webcapture.Page
	ID     webcapture.String
	Annots object.Object // as stored, not resolved; null if absent

	annotations []*Annotation
	read        bool // annotations were read
}

// At returns the page's place.
func (pg *Page) At() Place { return Place{Object: pg.Ref, Page: pg.Index + 1, ID: KnownBy(pg.ID)} }

// Annotation is one element of Annots of a page (ISO 32000-2:2020, 12.5.2).
type Annotation struct {
	Ref   object.Ref // Num 0 for a direct object in Annots
	Page  int        // page number, from 1
	Index int        // index in Annots
	Dict  object.Dict
}

// At returns the annotation's place.
func (a *Annotation) At() Place {
	if a.Ref.Num == 0 {
		return Place{Part: fmt.Sprintf("page %d, annotation %d", a.Page, a.Index)}
	}
	return Place{Page: a.Page, Object: a.Ref}
}

// Annotations returns the annotations of the page, in order. It skips elements that are not dictionaries, and records
// unreadable ones once.
func (pg *Page) Annotations(p *Pass) []*Annotation {
	if pg.read || pg.Annots.IsNull() {
		return pg.annotations
	}
	pg.read = true
	annots, _ := p.Look(pg.At(), pg.Annots)
	list, _ := annots.Array()
	index := -1
	for e := range list.All() {
		index++
		a := &Annotation{Page: pg.Index + 1, Index: index}
		a.Ref, _ = e.Ref()
		o, _ := p.Look(a.At(), e)
		if p.Over() {
			break
		}
		if a.Dict, _ = o.Dict(); a.Dict.Len() > 0 {
			pg.annotations = append(pg.annotations, a)
		}
	}
	return pg.annotations
}

// NewPage reads all Web Capture entries of a page in one pass.
func NewPage(p *Pass, stored webcapture.Page) (*Page, error) {
	pg := &Page{Page: stored}
	var id object.Object
	for k, v := range stored.Dict.All() {
		switch string(k) {
		case "ID":
			id = v
		case "Annots":
			pg.Annots = v
		}
	}
	var err error
	pg.ID, err = p.Reader.String(id)
	return pg, err
}
